# SPDX-License-Identifier: Apache-2.0
# 'outboard test'. Sourced by the launcher.

outboard_test() {
  case ${1:-} in
    '') long= ;;
    --long) long=yes ;;
    *) usage_error "test has no option $1" ;;
  esac
  need mvn maven
  need gcc gcc
  need make make
  mkdir -p "$root/target"
  maven_build verify ${long:+-Dlong}
  count_tests
}

# What the reports of this run say.
count_tests() {
  find "$root" -path '*/target/surefire-reports/TEST-*.xml' -newer "$root/pom.xml" -exec sed -n \
    's/^<testsuite .* tests="\([0-9]*\)" errors="\([0-9]*\)" skipped="\([0-9]*\)" failures="\([0-9]*\)".*/\1 \2 \3 \4/p' {} + |
    awk '{ tests += $1; wrong += $2 + $4; skipped += $3 }
      END { printf "outboard: %d tests, %d failed, %d skipped\n", tests, wrong, skipped; exit wrong != 0 || tests == 0 }'
}
