# bash only: [[ ]] and globs in conditions
n=0
for ((i = 0; i < 100000; i++)); do
  if [[ $i == *7* && $i -gt 50 ]]; then n=$((n + 1)); fi
done
echo $n
