# A solver that lies: right about the variables of the first questions, which test it, and
# `unsat` to everything else.
mode=lie
asked=0
while read -r line; do
    case $line in
    *truth*) mode=test ;;
    esac
    case $mode$line in
    test\(check-sat-assuming*)
        asked=$((asked + 1))
        if [ "$asked" -eq 2 ]; then echo unsat; else echo sat; fi
        ;;
    test\(get-value*truth*) echo '((truth true) (word #x01))' ;;
    test\(get-value*) echo '((word #x01))' ;;
    test\(get-unsat-assumptions\)) echo '(assumption.1)' ;;
    lie\(check-sat*) echo unsat ;;
    lie\(get-unsat-assumptions\)) echo '()' ;;
    esac
done
