# bash only: an arithmetic loop
s=0
for ((i = 0; i < 300000; i++)); do
  ((s += i * 2))
done
echo $s
