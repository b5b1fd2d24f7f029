# bash only: building and walking an array
a=()
for ((i = 0; i < 100000; i++)); do
  a+=("item$i")
done
n=0
for x in "${a[@]}"; do
  n=$((n + ${#x}))
done
echo ${#a[@]} $n ${a[77777]}
