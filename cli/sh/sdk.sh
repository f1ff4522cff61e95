#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: sdk.sh HOME JDK VERSION FILE
# Packs what is built with Outboard outside of its sources: for plug-ins the classes, the generator,
# the runtime's header and library, and a makefile; for programs on the JVM a Maven repository and
# an example. It takes what was built in the sources' folder HOME, and a JDK's tools, and makes
# FILE.
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
# The version of these classes, which plug-ins name as the one that they were built for, whatever
# the folder is called.
cp "$staging/classes/io/outboard/plugin/build.properties" "$staging/$name/"
sh "$root/cli/sh/repository.sh" "$root" "$jdk" "$version" "$staging/$name/repository"
# The example finds its kernel where the sources have it.
mkdir -p "$staging/$name/examples/java" "$staging/$name/examples/cuda/kernels" \
  "$staging/$name/examples/android"
cp -R "$root/examples/android/src" "$staging/$name/examples/android/"
cp "$root/examples/java/VectorAdd.java" "$staging/$name/examples/java/"
cp "$root/examples/cuda/kernels/vectorAdd.ptx" "$staging/$name/examples/cuda/kernels/"
for example in java android; do
  sed "s,<outboard.version>.*</outboard.version>,<outboard.version>$version</outboard.version>," \
    "$root/examples/$example/pom.xml" >"$staging/$name/examples/$example/pom.xml"
done
cp "$root/LICENSE" "$staging/$name/"
cat >"$staging/$name/README" <<END
Outboard $version, SDK

  plugin.mk         builds a plug-in; its first lines say what it wants of your makefile
  include, lib      what a plug-in is built with
  repository        Outboard as a Maven repository, for programs on the JVM
  examples/java     such a program: its pom.xml names the repository
  examples/android  the part of an app whose methods run on a backend

A plug-in is a library or a communicator of your own that runs in the backend and in programs:
CONTRIBUTING.md of the sources has the recipes. Needs a JDK 25, gcc and make. Licence: Apache-2.0.
END
mkdir -p "$(dirname "$file")"
tar -C "$staging" --owner=0 --group=0 --numeric-owner --sort=name -czf "$file" "$name"
