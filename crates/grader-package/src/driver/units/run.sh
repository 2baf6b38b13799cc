# Runs one unit test of a teacher in Rust: run.sh PROGRAM. The first line of standard input is a word and the test. rustc's
# runner and the solution are a process of their own that gets no word, so nothing there can write a report.
IFS=' ' read -r word test
printed=$("$1" --exact "$test" --test-threads=1 --color=never < /dev/null)
code=$?
say() {
  printf '%s %s %s\n' "$word" "$1" "$2"
}
report() {
  say "$1" "$2"
  exit 0
}

# Without an option, the runner ends with 0 only if the test passed, was ignored or is not there.
if [ "$code" -eq 0 ]; then
  case $(printf '%s\n' "$printed" | tail -n 2) in
    *': ok. 1 passed; '*) report passed '' ;;
    *'; 1 ignored; '*) report fault "the test was skipped: $test" ;;
    *) report fault "there is no test $test" ;;
  esac
fi
printf '%s\n' "$printed" >&2
[ "$code" -eq 101 ] || exit "$code"

# The place and the message of the panic, or why none came, in one line.
why=$(printf '%s\n' "$printed" | awk '
  /panicked at / { place = $0; sub(/.*panicked at /, "", place); text = ""; inside = 1; next }
  /^note: (test did not panic|panic did not contain)/ { place = "graderunits/tests/"; text = ""; inside = 1; sub(/^note: /, "") }
  /^Error: / && place == "" { place = "graderunits/tests/"; inside = 1 }
  /^note: |^stack backtrace:|^failures:$/ { inside = 0 }
  inside && NF { sub(/^ +/, ""); text = text " " $0 }
  END { print substr(place text, 1, 1600) }')
case $why in
  graderunits/tests/*) report failed "$(printf '%s\n' "${why#graderunits/tests/}" | sed 's|^ *||; s|graderunits/tests/||g')" ;;
esac
# The solution panicked.
[ -z "$why" ] || say raised "a panic in $why"
exit "$code"
