#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: sdk.sh HOME JDK VERSION FILE
# Packs what plug-ins are built with, outside of the sources: the classes, the generator, the runtime's header and library, and a
# makefile; from what was built in the sources' folder HOME, with a JDK's tools, into FILE.
set -eu
root=$1 jdk=$2 version=$3 file=$4
name=outboard-sdk-$version
staging=$(mktemp -d "${TMPDIR:-/tmp}/outboard-dist.XXXXXX")
trap 'rm -rf "$staging"' EXIT
mkdir -p "$staging/$name/include" "$staging/$name/lib" "$staging/classes"
for module in spec wire communicator backend codegen; do
  cp -R "$root/$module/target/classes/." "$staging/classes/"
done
"$jdk/bin/jar" --create --file "$staging/$name/lib/outboard-sdk.jar" --date 2026-11-21T00:00:00Z -C "$staging/classes" .
cp "$root/frontend/runtime/outboard.h" "$staging/$name/include/"
strip --strip-unneeded -o "$staging/$name/lib/liboutboard.so" "$root/frontend/target/lib/liboutboard.so"
cp "$root/cli/sh/plugin.mk" "$staging/$name/"
# What the plug-ins say they were built for: the version of these classes, whatever the folder is called.
cp "$staging/classes/io/outboard/plugin/build.properties" "$staging/$name/"
mkdir -p "$(dirname "$file")"
tar -C "$staging" --owner=0 --group=0 --numeric-owner --sort=name -czf "$file" "$name"
