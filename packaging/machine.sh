# Machines to test in: folders with a distribution, each a layer above one that debootstrap has made. Uses WORK and MIRROR.
# shellcheck shell=bash

SERVERS=()

# at_the_end PID: a process that ends with the tests.
at_the_end() { SERVERS+=("$1"); }

# The mirror of Debian that apt uses on this machine.
mirror_of_apt() {
    local uri
    # shellcheck disable=SC2016 # apt expands it
    uri="$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' | head -n 1)"
    [ -n "$uri" ] || fail "apt knows no mirror of Debian here" "packaging/test --mirror URL"
    printf '%s\n' "$uri"
}

root_of() { printf '%s/machines/%s/root\n' "$WORK" "$1"; }

# The folder of a distribution, made once.
base_of() {
    local base="$WORK/bases/$1" options=() log="$WORK/debootstrap.log"
    local keys="${UBUNTU_KEYS:-/usr/share/keyrings/ubuntu-archive-keyring.gpg}"
    if [ ! -e "$base/etc/os-release" ]; then
        mkdir -p "$base"
        if [ "$1" = jammy ]; then
            [ -e "$keys" ] || fail "the keys of Ubuntu are missing" "set UBUNTU_KEYS to the file of its package ubuntu-keyring"
            # debootstrap knows a mirror of Ubuntu by itself.
            options=("--components=main,universe" "--keyring=$keys" "$1" "$base")
        else
            options=("$1" "$base" "$MIRROR")
        fi
        debootstrap --variant=minbase "${options[@]}" > "$log" 2>&1 ||
            { tail -n 20 "$log" >&2; fail "debootstrap made no $1" "read the output above"; }
    fi
    printf '%s\n' "$base"
}

# new_machine NAME SUITE: an empty machine of its own. Its files are a layer above the folder of the distribution.
new_machine() {
    local base dir="$WORK/machines/$1"
    base="$(base_of "$2")"
    mkdir -p "$dir/changes" "$dir/work" "$dir/root"
    mount -t overlay overlay -o "lowerdir=$base,upperdir=$dir/changes,workdir=$dir/work" "$dir/root"
    cp /etc/resolv.conf "$dir/root/etc/resolv.conf"
}

# inside NAME COMMAND: runs a command in the machine, as root, with processes and mounts of its own.
inside() {
    local root
    root="$(root_of "$1")"
    # The machine's folder becomes the real root: in a mere chroot, the kernel permits no user namespaces.
    # shellcheck disable=SC2016 # the inner shell expands it
    env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
        TERM=dumb LC_ALL=C.UTF-8 unshare --mount --pid --fork --kill-child bash -euc '
            mount --make-rprivate /
            mount --rbind /dev "$1/dev"
            # Without control groups: their names would be those of graders outside.
            mount -t sysfs sysfs "$1/sys"
            mount -t proc proc "$1/proc"
            mount -t tmpfs tmpfs "$1/run"
            cd "$1"
            mkdir -p old_root
            pivot_root . old_root
            umount -l /old_root
            rmdir /old_root
            exec bash -euc "$2"' bash "$root" "$2"
}

# drop_machine NAME…: unmounts machines and removes their files. The folder of the distribution stays.
drop_machine() {
    local name
    for name in "$@"; do
        umount "$(root_of "$name")"
        rm -rf --one-file-system "${WORK:?}/machines/$name"
    done
}

# Ends what runs, and unmounts all machines.
leave_machines() {
    local server root
    for server in "${SERVERS[@]}"; do kill "$server" 2>/dev/null || true; done
    for root in "$WORK"/machines/*/root; do
        if mountpoint -q "$root"; then umount -l "$root"; fi
    done
}

# suite_of IMAGE: the distribution that an image holds.
suite_of() {
    case "$1" in
        debian:trixie-slim) echo trixie ;;
        gradescope/autograder-base:ubuntu-22.04) echo jammy ;;
        *) fail "no folder stands for the image $1" "add its distribution to suite_of in packaging/machine.sh" ;;
    esac
}

# follow_containerfile NAME FILE: carries out each instruction in a machine NAME. Another stage is the machine NAME-STAGE.
follow_containerfile() {
    local name="$1" machine="" instruction rest
    local -A arguments=()
    while read -r instruction rest; do
        for argument in "${!arguments[@]}"; do rest="${rest//"\${$argument}"/${arguments[$argument]}}"; done
        case "$instruction" in
            "" | "#"*) ;;
            FROM)
                arguments=()
                machine="$name"
                if [[ "$rest" == *" AS "* ]]; then machine="$name-${rest##* AS }"; fi
                new_machine "$machine" "$(suite_of "${rest%% *}")" ;;
            ARG) arguments["${rest%%=*}"]="${rest#*=}" ;;
            RUN) inside "$machine" "$rest" > "$WORK/run.log" 2>&1 < /dev/null ||
                { cat "$WORK/run.log" >&2; fail "in $2: RUN $rest" "read the output above"; } ;;
            COPY) copy_into "$name" "$machine" "$rest" ;;
            WORKDIR) mkdir -p "$(root_of "$machine")/$rest" ;;
            ENTRYPOINT) inside "$machine" "$(python3 -c 'import json, shlex, sys; print(shlex.join(json.loads(sys.argv[1])))' \
                "$rest") --version" > "$WORK/run.log" || fail "in $2: ENTRYPOINT $rest" "read the output above" ;;
            *) fail "in $2: no test knows the instruction $instruction" "teach follow_containerfile in packaging/machine.sh" ;;
        esac
    done < "$2"
    unset argument
}

# copy_into NAME MACHINE WORDS: an instruction COPY. The context of images is the folder that packaging/build made.
copy_into() {
    local from="$DIST" words=() source
    read -ra words <<< "$3"
    if [[ "${words[0]}" == --from=* ]]; then
        from="$(root_of "$1-${words[0]#--from=}")"
        words=("${words[@]:1}")
    fi
    # The pattern names one file.
    source="$(cd "$from" && compgen -G "${words[0]#/}")" || fail "nothing to copy: ${words[0]}" "packaging/build"
    mkdir -p "$(dirname "$(root_of "$2")${words[1]}")"
    cp -a "$from/$source" "$(root_of "$2")${words[1]}"
}
