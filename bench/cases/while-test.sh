# a counting while [ ] loop
i=0
while [ $i -lt 300000 ]; do
  i=$((i + 1))
done
echo $i
