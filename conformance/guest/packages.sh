# SPDX-License-Identifier: Apache-2.0
# Debian packages for the root of a guest, kept in $work/packages.

fetch() {
  ls "$work/packages/$1"_*.deb >/dev/null 2>&1 || (cd "$work/packages" && apt-get -q download "$1" >/dev/null) ||
    { echo "${0##*/}: cannot download the package $1" >&2; exit 2; }
}

# unpack PACKAGE FOLDER
unpack() {
  for package in "$work/packages/$1"_*.deb; do dpkg-deb -x "$package" "$2"; done
}

# newest PACKAGE PATTERN: the package that this one stands for
newest() {
  found=$(apt-cache depends "$1" | sed -n "s/.*Depends: \($2\)\$/\1/p" | head -n 1)
  [ -n "$found" ] || { echo "${0##*/}: no package lists; run 'apt-get update' first" >&2; exit 2; }
  echo "$found"
}

need() {
  for tool in "$@"; do
    command -v "$tool" >/dev/null ||
      { echo "${0##*/}: $tool is missing (packages qemu-system-x86, dpkg, cpio, gzip, binutils)" >&2; exit 2; }
  done
}

# pack ROOT FILE
pack() {
  (cd "$1" && find . | cpio --quiet -o -H newc | gzip -1) >"$2"
}
