# "Compiled" by running it: every process starts more.
# toml: [language.bash]
# toml: compile = ["sh", "{mainfile}"]
# only: root user users
# compile: time=2
# within: 60
# expect: CE
bomb() { bomb | bomb & }
bomb
sleep 600
