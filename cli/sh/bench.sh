# SPDX-License-Identifier: Apache-2.0
# 'outboard bench'. Sourced by the launcher.

outboard_bench() {
  build_if_needed
  maven_build package -pl bench -am -Dmaven.test.skip=true -DskipTests -Dspotless.check.skip=true >&2
  make -s -C "$root/bench/c" || fail "the benchmark's C programs do not build"
  make -s -C "$root/examples" driver || fail "the examples do not build"
  # shellcheck disable=SC2046 # options are words
  exec "$java" $(machine_options) --sun-misc-unsafe-memory-access=allow "-Doutboard.home=$root" -jar "$root/bench/target/outboard-bench.jar" "$@"
}
