# Sleeps for ever.
# limits: time=0.2
# expect: TLE
# reason: slept
read word
[ "$word" = next ] && echo ok && exit
sleep 600
