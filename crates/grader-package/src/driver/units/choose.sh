# Writes the root of a solution's crate as an argument of rustc: choose.sh FILE…, the sources of the solution.
newline='
'
for file; do
  case $file in
    *"$newline"*) why='has a line end' ;;
    *.rs) continue ;;
    *) why='does not end with .rs' ;;
  esac
  printf 'the name of a source %s: %s\n' "$why" "$file" >&2
  exit 1
done
root=$file
for name in src/main.rs main.rs src/@CRATE@.rs @CRATE@.rs src/lib.rs lib.rs; do
  for file; do
    [ "$file" != "$name" ] || root=$name
  done
done
printf './%s\n' "$root" > graderunits/root.args
