#!/bin/bash
# Runs a script as root on another kernel, with version 2 of control groups alone: in-a-vm.sh KERNEL-DIR SCRIPT
#
# KERNEL-DIR holds boot/vmlinuz-* and lib/modules/* as a package of a kernel unpacks (`dpkg -x`). It takes qemu, virtiofsd, a static
# busybox, cpio, kmod. The guest sees this machine's files, changes to them are lost with it, and what SCRIPT says is printed.
set -euo pipefail
kernel=$(realpath "$1") script=$(realpath "$2") dir=$(mktemp -d) mem=${MEMORY:-6G}
modules=$(echo "$kernel"/lib/modules/*)
mkdir -p "$dir"/root/{bin,sbin,mods,proc,sys,dev,lower,rw,new}
cp "$(command -v busybox)" "$dir/root/bin/"
depmod -b "$kernel" "${modules##*/}"
for module in virtio_pci virtiofs overlay; do
    modprobe -d "$kernel" -S "${modules##*/}" --show-depends $module 2>/dev/null | awk '$1 == "insmod" { print $2 }' || true
done | awk '!seen[$0]++' | while read -r file; do
    name=$(basename "${file%.xz}")
    case $file in *.xz) xzcat "$file" ;; *) cat "$file" ;; esac > "$dir/root/mods/$name"
    echo "$name" >> "$dir/root/mods/order"
done
cat > "$dir/root/init" <<END
#!/bin/busybox sh
export PATH=/bin:/sbin
/bin/busybox --install -s /bin
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
for module in \$(cat /mods/order); do insmod /mods/\$module; done
mount -t virtiofs -o ro root /lower; mount -t tmpfs -o mode=755 rw /rw; mkdir /rw/upper /rw/work
mount -t overlay -o lowerdir=/lower,upperdir=/rw/upper,workdir=/rw/work root /new
for place in /dev /proc /sys; do mount --move \$place /new\$place; done
mkdir -p /new/dev/pts /new/dev/shm; mount -t devpts pts /new/dev/pts; rm -f /new/.dockerenv
for place in /tmp /dev/shm; do mount -t tmpfs -o mode=1777 tmp /new\$place; done
mount -t tmpfs -o mode=755 run /new/run; mount -t cgroup2 -o nsdelegate cgroup2 /new/sys/fs/cgroup
mkdir /new/sys/fs/cgroup/init.scope; echo 1 > /new/sys/fs/cgroup/init.scope/cgroup.procs
echo '+cpu +memory +pids' > /new/sys/fs/cgroup/cgroup.subtree_control
echo '$(base64 -w0 < "$script")' | base64 -d > /new/run/script
exec switch_root /new /bin/bash -c '/bin/bash /run/script; echo "status \$?"; sync; echo o > /proc/sysrq-trigger; sleep 9'
END
chmod +x "$dir/root/init"
(cd "$dir/root" && find . | cpio -o -H newc --quiet | gzip) > "$dir/initramfs"
"${VIRTIOFSD:-/usr/lib/qemu/virtiofsd}" --socket-path="$dir/socket" -o source=/ -o sandbox=chroot -o cache=always -o no_posix_lock 2>/dev/null &
trap 'kill $! 2>/dev/null; rm -rf "$dir"' EXIT
until [ -S "$dir/socket" ]; do sleep 0.1; done
qemu-system-x86_64 -accel "${ACCEL:-tcg,thread=multi}" -cpu max -smp 2 -m "$mem" -net none -display none -serial stdio -monitor none \
    -no-reboot -kernel "$kernel"/boot/vmlinuz-* -initrd "$dir/initramfs" -chardev socket,id=root,path="$dir/socket" \
    -object memory-backend-memfd,id=mem,size="$mem",share=on -numa node,memdev=mem \
    -device vhost-user-fs-pci,chardev=root,tag=root -append "console=ttyS0 quiet panic=1 cgroup_no_v1=all" < /dev/null
