# "Compiled" by running it: leaves names of every kind, a tree longer than any path, links, pipes and what is closed to
# everybody. What a build may be made of is taken, the rest is left out; no error of the grader's comes of it.
# toml: [language.bash]
# toml: compile = ["sh", "{mainfile}"]
# limits: time=5
# compile: time=20
# expect: AC
dir=$(dirname "$0")
if [ "$dir" != . ]; then
    [ -e "$dir/built" ] && [ ! -e "$dir/link" ] && [ ! -e "$dir/pipe" ] && echo ok
    exit
fi
: > built
touch "$(printf 'line\nbreak')" "$(printf '\377\376')" "$(printf '\033[31m')" '$(id)' ./-rf
mkfifo pipe
ln -s /etc/shadow link
ln -s . loop
mkdir closed
touch closed/file unreadable
chmod 0 closed unreadable
name=$(printf 'a%.0s' $(seq 200))
for level in $(seq 60); do
    mkdir $name
    cd -P $name || exit
    touch file
done
