#!/bin/sh
# Builds the program that runs the unit tests of a teacher by GoogleTest.
libraries=@LIBRARIES@
options=$(pkg-config --cflags $libraries 2> /dev/null)
links=$(pkg-config --libs $libraries 2> /dev/null) || links=$(printf -- '-l%s ' $libraries)
for library in $libraries; do
  if ! echo "#include <$library/$library.h>" | c++ $options -E -x c++ - > /dev/null 2>&1; then
    echo "GoogleTest is not installed: apt-get install lib$library-dev, or your system's package of it" >&2
    # As a shell does for a command that is not there.
    exit 127
  fi
done
exec c++ -std=gnu++20 -O1 -D_GLIBCXX_ASSERTIONS -pthread -iquote tests -Dmain=main_of_tests $options -o run main.grader.cpp @SOURCES@ $links
