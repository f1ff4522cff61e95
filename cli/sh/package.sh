#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: package.sh HOME VERSION SERVER CLIENT FOLDER
# Makes Debian packages of the tarballs SERVER and CLIENT, in FOLDER, with what is in the sources'
# folder HOME. It needs neither root nor Debian: a package is an archive of two tarballs (deb(5)).
set -eu
root=$1 version=$2 server=$3 client=$4 folder=$5
# In a package's version a hyphen begins Debian's own part, and a tilde comes before everything.
version=$(echo "$version" | tr - '~')
staging=$(mktemp -d "${TMPDIR:-/tmp}/outboard-package.XXXXXX")
trap 'rm -rf "$staging"' EXIT
umask 022

# member FILE: a part of an archive (ar(5)), whose length is even.
member() {
  size=$(wc -c <"$1")
  printf '%-16s%-12s%-6s%-6s%-8s%-10s`\n' "${1##*/}" 0 0 0 100644 "$size"
  cat "$1"
  [ $((size % 2)) -eq 0 ] || echo
}

# pack_folder FROM FILE
pack_folder() {
  tar -C "$1" --owner=0 --group=0 --numeric-owner --sort=name -czf "$2" .
}

# archive NAME: of the folders NAME/data and NAME/control
archive() {
  name=$1
  (cd "$staging/$name/data" && find . -type f ! -path './etc/*' -printf '%P\0' | sort -z | xargs -0 md5sum) >"$staging/$name/control/md5sums"
  echo 2.0 >"$staging/debian-binary"
  pack_folder "$staging/$name/control" "$staging/control.tar.gz"
  pack_folder "$staging/$name/data" "$staging/data.tar.gz"
  mkdir -p "$folder"
  {
    printf '!<arch>\n'
    member "$staging/debian-binary"
    member "$staging/control.tar.gz"
    member "$staging/data.tar.gz"
  } >"$folder/${name}_${version}_$architecture.deb"
}

# control NAME DEPENDS SUMMARY TEXT
control() {
  cat >"$staging/$1/control/control" <<END
Package: $1
Version: $version
Architecture: $architecture
Maintainer: the authors of Outboard <outboard@localhost>
Installed-Size: $(du -sk "$staging/$1/data" | cut -f1)
Depends: $2
Section: admin
Priority: optional
Description: $3
$4
END
}

documents() {
  documents=$staging/$1/data/usr/share/doc/$1
  mkdir -p "$documents"
  cp "$root/cli/debian/copyright" "$documents/"
  gzip -9n <"$root/CHANGELOG.md" >"$documents/changelog.gz"
}

# share NAME: pages and completions go where the system's programs look for them. The package has
# the licence in its copyright.
share() {
  mkdir -p "$data/usr/share"
  rm "$data/usr/lib/$1/LICENSE" "$data/usr/lib/$1/README"
  mv "$data/usr/lib/$1/share"/* "$data/usr/share/"
  rmdir "$data/usr/lib/$1/share"
  gzip -9n "$data"/usr/share/man/man1/*
}

package_server() {
  data=$staging/outboard/data
  mkdir -p "$data/usr/lib/outboard" "$data/usr/bin" "$data/usr/lib/systemd/system" "$data/usr/lib/sysusers.d" "$data/etc/outboard" "$staging/outboard/control"
  tar -C "$data/usr/lib/outboard" --strip-components=1 -xzpf "$server"
  share outboard
  ln -s ../lib/outboard/bin/outboard "$data/usr/bin/outboard"
  cp "$root/cli/debian/outboard-serve.service" "$root/cli/debian/outboard@.service" \
    "$root/adapters/openstack/outboard-openstack.service" "$data/usr/lib/systemd/system/"
  cp "$root/cli/debian/sysusers.conf" "$data/usr/lib/sysusers.d/outboard.conf"
  cp "$root/cli/debian/outboard.properties" "$root/cli/debian/serve.env" "$data/etc/outboard/"
  documents outboard
  for script in postinst prerm postrm; do
    install -m 755 "$root/cli/debian/$script" "$staging/outboard/control/$script"
  done
  printf '/etc/outboard/outboard.properties\n/etc/outboard/serve.env\n' >"$staging/outboard/control/conffiles"
  control outboard "libc6 (>= 2.17)" "GPUs for programs on other machines, the backend" \
    " Serves the GPUs of this machine to unmodified CUDA and OpenCL programs
 elsewhere, leases them, and keeps a ledger of what was used.
 .
 Brings its own Java runtime, the command outboard and the systemd units
 outboard-serve, outboard-openstack and outboard@, which are not started by
 themselves."
  archive outboard
}

package_client() {
  data=$staging/outboard-client/data
  mkdir -p "$data/usr/lib/outboard-client" "$data/usr/bin" "$data/usr/lib/udev/rules.d" "$data/usr/lib/sysusers.d" "$data/usr/lib/systemd/system" \
    "$data/usr/lib/modprobe.d" "$staging/outboard-client/control"
  cp "$root/cli/debian/60-outboard.rules" "$data/usr/lib/udev/rules.d/"
  cp "$root/cli/debian/xen.conf" "$data/usr/lib/modprobe.d/outboard-client.conf"
  cp "$root/cli/debian/sysusers.conf" "$data/usr/lib/sysusers.d/outboard-client.conf"
  cp "$root/cli/debian/outboard-connect@.service" "$data/usr/lib/systemd/system/"
  install -m 755 "$root/cli/debian/client.postinst" "$staging/outboard-client/control/postinst"
  tar -C "$data/usr/lib/outboard-client" --strip-components=1 -xzpf "$client"
  share outboard-client
  for program in outboard-run outboard-connect outboard-xen outboard-where; do
    ln -s "../lib/outboard-client/bin/$program" "$data/usr/bin/$program"
  done
  documents outboard-client
  control outboard-client "libc6 (>= 2.17)
Recommends: libssl3 | libssl3t64 | libssl1.1" "GPUs of other machines for programs here" \
    " Runs unmodified CUDA and OpenCL programs on GPUs that are elsewhere, where
 the package outboard serves them. No library of it is in the linker's way:
 outboard-run sets up one program."
  archive outboard-client
}

package_slurm() {
  data=$staging/outboard-slurm/data
  lib=$data/usr/lib/outboard-slurm
  mkdir -p "$lib/python/outboard" "$data/etc/outboard/slurm.d" "$data/usr/lib/systemd/system" "$staging/outboard-slurm/control"
  cp -R "$root/adapters/slurm" "$lib/"
  rm -rf "$lib/slurm/outboard_slurm/__pycache__"
  mv "$lib/slurm/slurm.conf" "$data/etc/outboard/"
  mv "$lib/slurm/outboard-slurm.service" "$data/usr/lib/systemd/system/"
  for file in __init__ _api _token; do
    cp "$root/adapters/python/outboard/$file.py" "$lib/python/outboard/"
  done
  documents outboard-slurm
  sh "$root/cli/sh/documents.sh" "$root" "$data/usr/share/doc/outboard-slurm" slurm
  printf '/etc/outboard/slurm.conf\n' >"$staging/outboard-slurm/control/conffiles"
  architecture=all
  control outboard-slurm "python3 (>= 3.8)
Recommends: outboard-client" "GPUs of other machines for jobs of Slurm" \
    " Prologs and epilogs with which jobs of Slurm lease remote GPUs of Outboard,
 by --gres=rgpu or -L rgpu, on nodes without a GPU, and a service that keeps
 leases in step with jobs. Nothing is started by itself."
  archive outboard-slurm
}

architecture=amd64
package_server
package_client
package_slurm
