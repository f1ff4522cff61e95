# SPDX-License-Identifier: Apache-2.0
# 'outboard dist'. Sourced by the launcher.

outboard_dist() {
  [ $# -eq 0 ] || usage_error "dist takes no arguments"
  echo "outboard: dist makes tarballs, Debian packages and Python wheels in target/dist:"
  echo "clients without Java, a server with its own, what plug-ins are built with (some minutes)"
  build_if_needed
  . "$root/cli/sh/bench.sh"
  build_bench
  version=$(sed -n 's/^version=//p' "$root/communicator/target/classes/io/outboard/plugin/build.properties")
  dist=$root/target/dist
  started=$root/target/dist-started
  : >"$started"
  step=0
  for architecture in x86_64 aarch64; do
    begin_step "the client for $architecture, as a tarball and as a wheel"
    dist_client
  done
  server=$dist/outboard-server-$version-linux-x86_64.tar.gz
  begin_step "the server, with a Java runtime and what that remembers of a run"
  sh "$root/cli/sh/server.sh" "$root" "$JAVA_HOME" "$version" "$server"
  begin_step "Debian packages of server, client and the adapter of Slurm"
  sh "$root/cli/sh/package.sh" "$root" "$version" "$server" "$dist/outboard-client-$version-linux-x86_64.tar.gz" "$dist"
  begin_step "the SDK"
  sh "$root/cli/sh/sdk.sh" "$root" "$JAVA_HOME" "$version" "$dist/outboard-sdk-$version-linux-x86_64.tar.gz"
  list_made
  dist_end
}

begin_step() {
  step=$((step + 1))
  echo "outboard: [$step/5] $1"
}

dist_end() {
  cat <<END
outboard: dist ended in success. Next:
On a machine without Java; the README in it says how programs are run:
  tar -xzf target/dist/outboard-client-$version-linux-x86_64.tar.gz
On a machine with GPUs; the README in it has a program to try:
  tar -xzf target/dist/outboard-server-$version-linux-x86_64.tar.gz
Both under Debian or Ubuntu:
  apt-get install ./target/dist/outboard_*.deb ./target/dist/outboard-client_*.deb
END
}

# That for another processor than this machine's wants a cross compiler, and no other file depends
# on it.
dist_client() {
  if [ "$architecture" = "$(uname -m)" ]; then
    frontend=$root/frontend/target
  elif can_compile "$architecture-linux-gnu-gcc"; then
    make -s -C "$root/frontend" cross "FOREIGN=$architecture-linux-gnu" || fail "the client for $architecture does not build"
    frontend=$root/frontend/target/$architecture-linux-gnu
  else
    package=gcc-$(echo "$architecture" | tr _ -)-linux-gnu
    echo "outboard: no client for $architecture is made: the cross compiler is not installed; try 'apt-get install $package'" >&2
    return
  fi
  client=$dist/outboard-client-$version-linux-$architecture.tar.gz
  sh "$root/cli/sh/client.sh" "$frontend" "$version" "$client" "$architecture"
  sh "$root/cli/sh/wheel.sh" "$root" "$JAVA_HOME" "$version" "$architecture" "$frontend" "$client" "$dist" >/dev/null
}

# Debian has the compiler without the C library's headers too.
can_compile() {
  echo '#include <stdio.h>' | "$1" -E - >/dev/null 2>&1
}

# The folder may have files of other versions too.
list_made() {
  find "$dist" -maxdepth 1 -type f -newer "$started" -printf '%s %p\n' | sort -k 2 | while read -r size file; do
    printf '%d.%d MB  %s\n' $((size / 1000000)) $((size / 100000 % 10)) "$file"
  done
}
