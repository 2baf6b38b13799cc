# What the scripts of this directory need: programs, targets, and errors that say how to get them.
# shellcheck shell=bash

# Ends the script with an error: what is wrong, and what to do.
fail() {
    printf 'error: %s\n  → %s\n' "$1" "$2" >&2
    exit 2
}

# require PROGRAM COMMAND: ends the script if the program is missing, with the command that installs it.
require() { command -v "$1" >/dev/null || fail "$1 is missing" "$2"; }

# require_target TARGET: checks that Rust and C can be compiled for it.
require_target() {
    case "$1" in
        x86_64-unknown-linux-gnu | x86_64-unknown-linux-musl | aarch64-unknown-linux-musl) ;;
        *) fail "no package is made for $1" "packaging/build x86_64-unknown-linux-musl" ;;
    esac
    [ -d "$(rustc --print target-libdir --target "$1")" ] || fail "Rust's standard library for $1 is missing" \
        "rustup target add $1; if that is impossible here, packaging/build x86_64-unknown-linux-gnu has no workers"
    compiler_of "$1"
}

# features_of TARGET: the features of its binary. Packages have workers (`nats`), because nobody builds again to get them.
# A static glibc loads the modules of nsswitch.conf when it looks up a name. Those of another version of glibc crash it: with
# `resolve` or `mdns4_minimal`, a look-up ended with SIGFPE. Only workers look up names.
features_of() {
    case "$1" in
        *-gnu) ;;
        *) printf 'nats\n' ;;
    esac
}

# compiler_of TARGET: sets the variables that name the C compiler and the linker. Variables of the user win.
compiler_of() {
    local cc="CC_${1//-/_}" linker="CARGO_TARGET_${1//-/_}_LINKER"
    linker="${linker^^}"
    if [ -n "${!cc:-}" ]; then
        require "${!cc}" "set $cc to a C compiler for $1"
        return
    fi
    case "$1" in
        x86_64-unknown-linux-gnu) require cc "apt install gcc libc6-dev" ;;
        x86_64-unknown-linux-musl)
            require musl-gcc "apt install musl-tools"
            export "$cc=musl-gcc" ;;
        *)
            local cross="${1%%-*}-linux-musl-gcc"
            require "$cross" "install a C compiler for $1, and set $cc and $linker to it"
            export "$cc=$cross" "$linker=${!linker:-$cross}" ;;
    esac
}

# The version in Cargo.toml.
version_of_grader() {
    local id
    id="$(cargo pkgid --locked -p batch-grader)"
    printf '%s\n' "${id##*[@#]}"
}
