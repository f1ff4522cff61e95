# SPDX-License-Identifier: Apache-2.0
# 'outboard bench'. Sourced by the launcher.

outboard_bench() {
  build_if_needed
  maven_build package -pl bench -am -Dmaven.test.skip=true -Dspotless.check.skip=true >&2
  exec "$java" $(machine_options) "-Doutboard.home=$root" -cp "$root/bench/target/outboard-bench.jar" io.outboard.bench.Bench "$@"
}
