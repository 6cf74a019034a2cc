# clean-root.sh LOWER SCRATCH GIVEN: runs GIVEN/script.sh as root on top of the file system LOWER, in namespaces of its own (unshare). What
# it writes is in memory and gone afterwards; GIVEN is its /given. Its devices are its own: a container engine changes their owner.
set -e
root=$2/root
mount -t tmpfs scratch "$2"
mkdir "$2/up" "$2/work" "$root"
mount -t overlay root -o "lowerdir=$1,upperdir=$2/up,workdir=$2/work" "$root"
mkdir "$root/given" "$root/outside"
cp -r "$3/." "$root/given"
mount -t tmpfs -o mode=755 dev "$root/dev"
mkdir "$root/dev/pts" "$root/dev/shm"
for device in null:3 zero:5 full:7 random:8 urandom:9; do mknod -m 666 "$root/dev/${device%:*}" c 1 "${device#*:}"; done
mknod -m 666 "$root/dev/tty" c 5 0
mount -t devpts -o newinstance,ptmxmode=0666 pts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
for stream in 0:stdin 1:stdout 2:stderr; do ln -s "fd/${stream%:*}" "$root/dev/${stream#*:}"; done
# Settings of the kernel are the whole machine's.
mount -t proc proc "$root/proc"
mount --bind "$root/proc/sys" "$root/proc/sys"
mount -o remount,bind,ro "$root/proc/sys"
cd "$root"
pivot_root . outside
exec chroot . /bin/sh -ec 'cd /; umount -l /outside; exec /bin/sh -e /given/script.sh'
