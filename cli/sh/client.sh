#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: client.sh FRONTEND VERSION FILE [ARCHITECTURE]
# Packs the client, which needs no Java: the libraries and tools that were built in the folder
# FRONTEND, into FILE. They are for this machine's processor or for ARCHITECTURE, with its cross
# tools.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
frontend=$1 version=$2 file=$3 architecture=${4:-$(uname -m)}
strip=strip
[ "$architecture" = "$(uname -m)" ] || strip=$architecture-linux-gnu-strip
case $architecture in
  x86_64) processor=x86-64 ;;
  aarch64) processor=AArch64 ;;
  *) processor=$architecture ;;
esac
name=outboard-client-$version
staging=$(mktemp -d "${TMPDIR:-/tmp}/outboard-dist.XXXXXX")
trap 'rm -rf "$staging"' EXIT
mkdir -p "$staging/$name/lib/opencl/vendors" "$staging/$name/lib/egl" "$staging/$name/bin"
for library in "$frontend"/lib/*.so* "$frontend"/lib/opencl/*.so*; do
  to=$staging/$name/${library#"$frontend"/}
  if [ -L "$library" ]; then
    cp -P "$library" "$to"
  else
    "$strip" --strip-unneeded -o "$to" "$library"
  fi
done
cp "$frontend"/lib/opencl/vendors/*.icd "$staging/$name/lib/opencl/vendors/"
cp "$frontend"/lib/egl/*.json "$staging/$name/lib/egl/"
for program in outboard-where outboard-connect outboard-xen; do
  "$strip" -o "$staging/$name/bin/$program" "$frontend/bin/$program"
done
cp "$frontend/bin/outboard-run" "$staging/$name/bin/"
cp "$root/LICENSE" "$staging/$name/"
sh "$root/cli/sh/documents.sh" "$root" "$staging/$name/share/doc/outboard-client" \
  configuration hypervisors
# A page of the manual that is the help, as it is.
mkdir -p "$staging/$name/share/man/man1"
{
  printf '.TH OUTBOARD\\-RUN 1 "" "outboard %s"\n.SH NAME\noutboard\\-run \\- runs a program with its GPU calls elsewhere\n' "$version"
  printf '.SH SYNOPSIS\n.nf\n'
  "$frontend/bin/outboard-run" --help | sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^[.']/\\\\\&&/"
} >"$staging/$name/share/man/man1/outboard-run.1"
cat >"$staging/$name/README" <<END
Outboard $version, client

Runs an unmodified CUDA or OpenCL program on a GPU that is somewhere else: where 'outboard serve' runs.

  bin/outboard-run --on tls://HOST -- PROGRAM ARGUMENTS
  bin/outboard-run --on tcp://HOST -- PROGRAM ARGUMENTS
  bin/outboard-run --on ssh://USER@HOST -- PROGRAM ARGUMENTS
  bin/outboard-run --on unix:PATH -- PROGRAM ARGUMENTS

For TLS and TCP, set OUTBOARD_TOKEN to the backend's token; 'outboard serve' says which file it is in. 'bin/outboard-run --help' says the rest,
and share/doc/outboard-client has pages.
Needs Linux on $processor with glibc 2.17 or newer, and nothing else; for TLS the system's OpenSSL (libssl.so.3 or libssl.so.1.1). Licence: Apache-2.0.
END
mkdir -p "$(dirname "$file")"
tar -C "$staging" --owner=0 --group=0 --numeric-owner --sort=name -czf "$file" "$name"
