# "Compiled" by running it: looks for anything of the grader's in its environment, its descriptors, its input.
# toml: [language.bash]
# toml: compile = ["sh", "{mainfile}"]
# only: root user users weak
# expect: CE
# reason: end of environment
# unseen: CARGO_MANIFEST_DIR=
if [ ! -e built ]; then
env; ls -l /proc/self/fd; cat; tty; cat /proc/$PPID/environ /proc/1/environ
echo end of environment
exit 1
fi
echo ok
