# Starts programs, as scripts do.
# only: root user users weak none
# limits: time=5
# expect: AC
read word
[ "$word" = next ] && echo ok && exit
sum=$(printf '%s\n' 3 1 2 | sort -n | head -n 2 | wc -l)
(exit 3)
[ $? = 3 ] && [ "$sum" -eq 2 ] && for n in 1 2 3 4 5; do sleep 0.01 & done
wait
cat <<END
ok
END
