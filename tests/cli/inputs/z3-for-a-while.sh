# A solver that dies: gives the first $1 lines to z3 and then ends.
count=0
while [ "$count" -lt "$1" ] && read -r line; do
    printf '%s\n' "$line"
    count=$((count + 1))
done | z3 -in
