# Becomes a program of another name without an environment, and leaves another one behind.
# limits: time=0.2
# expect: TLE
# reason: slept
read word
[ "$word" = next ] && echo ok && exit
setsid sleep 601 &
exec env -i sleep 600
