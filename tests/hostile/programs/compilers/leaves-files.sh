# "Compiled" by running it: leaves files everywhere that a later run would find, and a link out of the build.
# toml: [language.bash]
# toml: compile = ["sh", "{mainfile}"]
# only: root user users weak
# expect: AC
if [ "$TMPDIR" ]; then
    touch /tmp/left-behind /dev/shm/left-behind "$TMPDIR/left-behind" 2> /dev/null
    ln -s / root-of-all
    ln -s /etc/shadow shadow
    mkfifo pipe
    exit 0
fi
read word
for place in /tmp /dev/shm .; do
    [ -e "$place/left-behind" ] && echo "left in $place"
done
rm -f /dev/shm/left-behind /tmp/left-behind 2> /dev/null
echo ok
