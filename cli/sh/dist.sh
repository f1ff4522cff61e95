# SPDX-License-Identifier: Apache-2.0
# 'outboard dist'. Sourced by the launcher.

outboard_dist() {
  base=
  while [ $# -gt 0 ]; do
    case $1 in
      --image-base=*) base=${1#*=} ;;
      --image-base) [ $# -gt 1 ] || usage_error "--image-base wants a tar file"; base=$2; shift ;;
      *) usage_error "dist takes --image-base FILE alone, and not '$1'" ;;
    esac
    shift
  done
  [ -z "$base" ] || [ -f "$base" ] || fail "$base, the base of the images, is no file"
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
  [ -z "$base" ] || dist_images
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

# Containers' images, for this machine's processor.
dist_images() {
  echo "outboard: images of client and server, on the root in $base"
  sh "$root/cli/sh/image.sh" "$base" "$dist/outboard-client-$version-linux-$(uname -m).tar.gz" \
    "outboard-client:$version" "$dist/outboard-client-$version-image.tar.gz" /opt/outboard/bin/outboard-run --help
  sh "$root/cli/sh/image.sh" "$base" "$server" \
    "outboard:$version" "$dist/outboard-$version-image.tar.gz" /opt/outboard/bin/outboard serve
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
