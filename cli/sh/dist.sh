# SPDX-License-Identifier: Apache-2.0
# 'outboard dist'. Sourced by the launcher.

# What the backend, the software GPU and the command use of Java.
modules=java.base,java.logging,java.management,jdk.unsupported

outboard_dist() {
  [ $# -eq 0 ] || usage_error "dist takes no arguments"
  build_if_needed
  version=$(sed -n 's/^version=//p' "$root/cli/target/classes/io/outboard/cli/build.properties")
  client=$root/target/dist/outboard-client-$version-linux-x86_64.tar.gz
  server=$root/target/dist/outboard-server-$version-linux-x86_64.tar.gz
  sh "$root/cli/sh/client.sh" "$root/frontend/target" "$version" "$client"
  pack_server
  ls -l "$client" "$server" | awk '{ printf "%6.1f MB  %s\n", $5 / 1e6, $NF }'
}

pack_server() {
  name=outboard-server-$version
  staging=$root/target/dist/staging
  rm -rf "$staging"
  mkdir -p "$staging/$name/bin" "$staging/$name/lib/frontend" "$staging/$name/lib/java/lib"
  "$JAVA_HOME/bin/jlink" --add-modules "$modules" --strip-debug --no-header-files --no-man-pages --compress zip-9 \
    --output "$staging/$name/runtime" || fail "jlink failed"
  cp "$jar" "$staging/$name/lib/java/"
  cp "$root"/cli/target/lib/*.jar "$staging/$name/lib/java/lib/"
  cp "$root/cli/sh/commands.sh" "$staging/$name/lib/"
  cp "$root/cli/sh/server" "$staging/$name/bin/outboard"
  sh "$root/cli/sh/client.sh" "$root/frontend/target" "$version" "$staging/client.tar.gz"
  tar -C "$staging/$name/lib/frontend" --strip-components=1 -xzf "$staging/client.tar.gz"
  tar -C "$staging" --owner=0 --group=0 --numeric-owner --sort=name -czf "$server" "$name"
  rm -rf "$staging"
}
