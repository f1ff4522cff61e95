#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: server.sh HOME JDK VERSION FILE
# Packs the server, which brings its own Java: what was built in the sources' folder HOME, with a
# runtime out of the folder JDK, into FILE; with 'bench gpu' if that was built.
set -eu
root=$1 jdk=$2 version=$3 file=$4
name=outboard-server-$version
staging=$(mktemp -d "${TMPDIR:-/tmp}/outboard-dist.XXXXXX")
trap 'rm -rf "$staging"' EXIT
mkdir -p "$staging/$name/bin" "$staging/$name/lib/frontend" "$staging/$name/lib/java"
"$jdk/bin/jlink" --add-modules java.base,java.logging,java.net.http,java.sql,jdk.unsupported --strip-debug --no-header-files --no-man-pages --compress zip-9 --generate-cds-archive \
  --output "$staging/$name/runtime" >/dev/null
cp "$root/cli/target/outboard-cli.jar" "$staging/$name/lib/java/"
cp -R "$root/cli/target/lib" "$staging/$name/lib/java/"
# Leases are kept in SQLite, whose driver brings it for twenty platforms: 12 MB, of which this one
# needs 0.7.
database=$(ls "$staging/$name"/lib/java/lib/sqlite-jdbc-*.jar)
mkdir "$staging/database"
(cd "$staging/database" && "$jdk/bin/jar" --extract --file "$database")
find "$staging/database/org/sqlite/native" -mindepth 2 -maxdepth 2 ! -path '*/Linux/x86_64' -exec rm -rf {} +
"$jdk/bin/jar" --create --file "$database" --date 2026-11-21T00:00:00Z --manifest "$staging/database/META-INF/MANIFEST.MF" -C "$staging/database" org -C "$staging/database" META-INF
cp "$root/cli/sh/commands.sh" "$root/cli/sh/hold-lease" "$staging/$name/lib/"
cp "$root/cli/sh/server" "$staging/$name/bin/outboard"
sh "$root/cli/sh/client.sh" "$root/frontend/target" "$version" "$staging/client.tar.gz"
tar -C "$staging/$name/lib/frontend" --strip-components=1 -xzf "$staging/client.tar.gz"
for once in share LICENSE README; do
  rm -r "$staging/$name/lib/frontend/$once"
done
strip -o "$staging/$name/lib/frontend/bin/outboard-confine" "$root/frontend/target/bin/outboard-confine"
cp "$root/LICENSE" "$staging/$name/"
mkdir "$staging/$name/examples"
strip -o "$staging/$name/examples/vectorAdd" "$root/examples/target/driver/vectorAdd"
cat >"$staging/$name/README" <<END
Outboard $version, server

Serves the GPUs of this machine, or a software GPU, to unmodified CUDA and OpenCL programs.

  bin/outboard run -- examples/vectorAdd     a program that can be tried, on a backend of its own
  bin/outboard serve                         a backend for this user; 'help serve' for others
  bin/outboard help                          has the rest

share/doc/outboard has pages, of which operator.md begins with a walk. Needs Linux on x86-64 with
glibc 2.17 or newer, and brings its own Java, whose notices are in runtime/legal. Licence: Apache-2.0.
END
share=$staging/$name/share
sh "$root/cli/sh/documents.sh" "$root" "$share/doc/outboard" \
  operator isolation configuration hypervisors containers several-hosts performance
mkdir -p "$share/man/man1" "$share/bash-completion/completions"
java() {
  "$staging/$name/runtime/bin/java" -XX:TieredStopAtLevel=1 -Doutboard.installed=true \
    -cp "$staging/$name/lib/java/outboard-cli.jar" "$@"
}
java io.outboard.cli.ManPage >"$share/man/man1/outboard.1"
java io.outboard.cli.Outboard completion bash >"$share/bash-completion/completions/outboard"
# The virtual machine knows the runtime and the classes again wherever the tarball is unpacked, by
# their sizes and times.
sh "$root/cli/sh/train.sh" "$staging/$name/runtime/bin/java" "$staging/$name/lib/java/outboard-cli.jar" "$staging/$name/lib/frontend" \
  "$root/examples/target/driver/histogram" "$staging/$name/lib/cache" >"$root/target/train-server.log" 2>&1 ||
  echo "outboard: the server comes without a start-up cache (see target/train-server.log)" >&2
if [ -d "$root/bench/target/gpu" ] && [ -f "$root/bench/target/outboard-bench.jar" ] && [ -d "$root/bench/target/lib" ]; then
  mkdir -p "$staging/$name/lib/bench/lib"
  cp "$root/bench/target/outboard-bench.jar" "$staging/$name/lib/bench/"
  cp "$root"/bench/target/lib/jackson-*.jar "$root"/bench/target/lib/picocli-*.jar "$root"/bench/target/lib/outboard-*.jar "$staging/$name/lib/bench/lib/"
  cp -R "$root/bench/target/gpu" "$staging/$name/lib/bench/"
fi
mkdir -p "$(dirname "$file")"
tar -C "$staging" --owner=0 --group=0 --numeric-owner --sort=name -czf "$file" "$name"
