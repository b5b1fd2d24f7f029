# function calls with arguments and a local
add() {
  local x=$1
  r=$((x + $2))
}
r=0
i=0
while [ $i -lt 100000 ]; do
  add $r 1
  i=$((i + 1))
done
echo $r
