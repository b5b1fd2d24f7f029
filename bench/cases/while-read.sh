# while read over a file
i=0
while [ $i -lt 100000 ]; do
  echo "line $i of the file"
  i=$((i + 1))
done >lines.txt
n=0
while read -r a b c; do
  n=$((n + b))
done <lines.txt
echo $n
