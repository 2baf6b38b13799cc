# "Compiled" by running it: a compiler that leaves a daemon behind.
# toml: [language.bash]
# toml: compile = ["sh", "{mainfile}"]
# expect: AC
if [ -t 0 ] || [ "$TMPDIR" ]; then
    (setsid sleep 600 > /dev/null 2>&1 < /dev/null &)
    sleep 0.2
    exit 0
fi
echo ok
