#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Makes the guest's file system, OBJECTS/guest.cpio: BusyBox, the first process, the
# demonstration, the jobs of the tests, and the kernel's modules.
# usage: image.sh OBJECTS

. "$(dirname "$0")/lib.sh"

check_arch
out=$1
image=$out/guest.cpio
stale=$(find "$TOP/dev/guest" "$TOP/dev/image.sh" "$out/modules.order" "$out/vmlinux" \
	-newer "$image" 2>&1 | head -n 1)
[ -n "$stale" ] || exit 0

stage "making the guest's file system"
root=$out/guest.root
rm -rf "$root"
mkdir -p "$root/bin" "$root/root" "$root/tmp" "$root/proc" "$root/sys" "$root/dev" \
	"$root/etc" "$root/lib"
ln -s bin "$root/sbin"
cp "$(ARCH=$arch "$TOP/dev/programs.sh" busybox)" "$root/bin"
/bin/busybox --list | while read -r name; do
	[ -e "$root/bin/$name" ] || ln -s busybox "$root/bin/$name"
done
echo 'root::0:0:root:/root:/bin/sh' >"$root/etc/passwd"
echo 'root:x:0:' >"$root/etc/group"
mkdir "$root/jobs"
cp "$TOP/dev/guest"/* "$root/jobs"
mv "$root/jobs/init" "$root/jobs/demo" "$root"
chmod +x "$root/init"
! grep -q '^CONFIG_MODULES=y' "$out/.config" ||
	logged "$BUILD/log/modules-$(basename "$out")" make -C "$out" ARCH="$arch" \
		CROSS_COMPILE="$cross" INSTALL_MOD_PATH="$root" INSTALL_MOD_STRIP=1 DEPMOD=/sbin/depmod modules_install
rm -f "$root"/lib/modules/*/build
archive "$root" >"$image.new"
rm -rf "$root"
mv "$image.new" "$image"
