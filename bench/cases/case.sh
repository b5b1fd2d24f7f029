# case matching
n=0
i=0
while [ $i -lt 100000 ]; do
  case "file$i.txt" in
    *.c) n=$((n + 1)) ;;
    *9.txt) n=$((n + 2)) ;;
    file[0-4]*) n=$((n + 3)) ;;
    *) n=$((n + 4)) ;;
  esac
  i=$((i + 1))
done
echo $n
