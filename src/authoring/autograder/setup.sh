#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image.
set -e
@LANGUAGES@
install -m 755 "${AUTOGRADER:-/autograder}/source/grader" /usr/local/bin/grader
