# "Compiled" by running it: waits for ever, in a process of another session.
# toml: [language.bash]
# toml: compile = ["sh", "{mainfile}"]
# compile: time=1
# within: 30
# expect: CE
setsid sleep 600 &
wait
