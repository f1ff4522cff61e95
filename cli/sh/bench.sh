# SPDX-License-Identifier: Apache-2.0
# 'outboard bench'. Sourced by the launcher.

outboard_bench() {
  build_if_needed
  build_bench
  bench "$root/bench/target" "$@"
}

build_bench() {
  is_stale "$root/target/built-bench" || return 0
  bench_begun=$root/target/building-bench
  : >"$bench_begun"
  maven_build package -pl bench -am -Dmaven.test.skip=true -DskipTests -Dspotless.check.skip=true >&2
  make -s -C "$root/bench/c" || fail "the benchmark's C programs do not build"
  make -s -C "$root/bench/gpu" || fail "the benchmark's programs for a GPU do not build"
  make -s -C "$root/examples" driver || fail "the examples do not build"
  mv "$bench_begun" "$root/target/built-bench"
}
