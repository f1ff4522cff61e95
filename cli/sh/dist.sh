# SPDX-License-Identifier: Apache-2.0
# 'outboard dist'. Sourced by the launcher.

outboard_dist() {
  [ $# -eq 0 ] || usage_error "dist takes no arguments"
  build_if_needed
  . "$root/cli/sh/bench.sh"
  build_bench
  version=$(sed -n 's/^version=//p' "$root/communicator/target/classes/io/outboard/plugin/build.properties")
  client=$root/target/dist/outboard-client-$version-linux-x86_64.tar.gz
  server=$root/target/dist/outboard-server-$version-linux-x86_64.tar.gz
  sdk=$root/target/dist/outboard-sdk-$version-linux-x86_64.tar.gz
  sh "$root/cli/sh/client.sh" "$root/frontend/target" "$version" "$client"
  sh "$root/cli/sh/server.sh" "$root" "$JAVA_HOME" "$version" "$server"
  sh "$root/cli/sh/package.sh" "$root" "$version" "$server" "$client" "$root/target/dist"
  sh "$root/cli/sh/sdk.sh" "$root" "$JAVA_HOME" "$version" "$sdk"
  for file in "$client" "$server" "$sdk" "$root"/target/dist/*.deb; do
    printf '%6.1f MB  %s\n' "$(wc -c <"$file" | awk '{ print $1 / 1e6 }')" "$file"
  done
}
