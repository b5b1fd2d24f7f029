# small pipelines of builtins
i=0
while [ $i -lt 300 ]; do
  echo "a b $i" | { read a b c; echo "$c"; } | while read x; do echo "[$x]"; done
  i=$((i + 1))
done | { n=0; while read l; do n=$((n + 1)); done; echo $n; }
