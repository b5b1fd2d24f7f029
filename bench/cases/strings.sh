# bash only: string operations
s="the quick brown fox jumps over the lazy dog"
n=0
for ((i = 0; i < 50000; i++)); do
  a=${s#* }
  b=${s%% *}
  c=${s/quick/slow}
  d=${s:4:5}
  e=${#s}
  f=${b^^}
  n=$((n + ${#a} + ${#c} + ${#d} + e + ${#f}))
done
echo $n
