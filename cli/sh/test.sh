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
  maven_build -T2 verify ${long:+-Dlong}
  count_tests
}

# reports COMMAND...: with the reports of this run.
reports() {
  find "$root" -path '*/target/surefire-reports/TEST-*.xml' -newer "$root/pom.xml" -exec "$@" {} +
}

# The classes of tests that took longest, in seconds.
name_slowest() {
  reports sed -n 's/^<testsuite .* name="\([^"]*\)" time="\([0-9.]*\)".*/\2 \1/p' |
    sort -rn | head -20 | awk '{ printf "outboard: %7.1f s  %s\n", $1, $2 }'
}

# CLASS.TEST REASON of each test that did not run.
skips() {
  reports awk '
    /<testcase / {
      split($0, part, "\"")
      test = part[4] "." part[2]
      sub(/[({].*/, "", test)
    }
    /<skipped/ {
      split($0, part, "\"")
      print test, part[2]
    }' | sort -u
}

# Under CI only tests that .ci/skips names may be missing: else a machine that lacks a tool would
# hide what it no longer shows.
check_skips() {
  skips | sed 's/^/outboard: not run: /'
  [ "${CI:-}" != true ] || skips | awk -v known="$root/.ci/skips" '
    BEGIN { while ((getline line < known) > 0) { split(line, word, " "); allowed[word[1]] = 1 } }
    !($1 in allowed) { print "outboard: .ci/skips does not name", $1; wrong = 1 }
    END { exit wrong }'
}

# Counts the tests in the reports of this run.
count_tests() {
  name_slowest
  status=0
  check_skips || status=1
  reports sed -n 's/^<testsuite .* tests="\([0-9]*\)" errors="\([0-9]*\)" skipped="\([0-9]*\)" failures="\([0-9]*\)".*/\1 \2 \3 \4/p' |
    awk '{ tests += $1; wrong += $2 + $4; skipped += $3 }
      END { printf "outboard: %d tests, %d failed, %d skipped\n", tests, wrong, skipped; exit wrong != 0 || tests == 0 }' || status=1
  return "$status"
}
