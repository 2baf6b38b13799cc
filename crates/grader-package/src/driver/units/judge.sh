# Judges a unit test that runs in the process of a solution: judge.sh TEST ANSWER FEEDBACK. The first line of the runner's standard
# input is a word that only this program and the runner know, and the test. The runner repeats the word before what came of it.
trap '' PIPE
IFS= read -r test < "$1"
word=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
if [ ${#word} -ne 32 ]; then
  echo 'cannot read /dev/urandom' >&2
  exit 1
fi

reject() {
  printf '%s\n' "$1" > "$feedback/judgemessage.txt"
  printf '%s\n' "$1" > "$feedback/teammessage.txt"
  exit 43
}

feedback=$3
ended='the program ended before the end of the test'
printf '%s %s\n' "$word" "$test" 2> /dev/null
while IFS= read -r -n 8192 line; do
  case $line in
    "$word passed"*) exit 42 ;;
    # The runner ends with an error of the solution's. To decide before it ends would make that WA.
    "$word raised "*) ended=${line#"$word raised "} ;;
    "$word failed "*) reject "${line#"$word failed "}" ;;
    "$word fault "*)
      printf '%s\n' "${line#"$word fault "}" >&2
      exit 1
      ;;
  esac
done
reject "$ended"
