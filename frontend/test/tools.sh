#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tests of outboard-where and outboard-run; the argument is the build's folder.
set -eu
out=$(CDPATH='' cd -- "$1" && pwd)
folder=$(mktemp -d /tmp/outboard-test.XXXXXX)
peer=
clean() {
  [ -z "$peer" ] || kill "$peer" 2>/dev/null || :
  rm -rf "$folder"
}
trap clean EXIT
here=$(CDPATH='' cd -- "$(dirname "$0")" && pwd)
cd "$folder"
: >started
mkdir tmp
# The host of the machine that runs the tests is not asked.
HOME=$folder TMPDIR=$folder/tmp OUTBOARD_VSOCK=0
export HOME TMPDIR OUTBOARD_VSOCK
unset OUTBOARD OUTBOARD_TOKEN XDG_RUNTIME_DIR XDG_CONFIG_HOME LD_LIBRARY_PATH
run=$out/bin/outboard-run
where=$out/bin/outboard-where

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

is() { [ "$2" = "$3" ] || fail "$1: '$2', not '$3'"; }

status_of() {
  status=0
  "$@" >"$folder/output" 2>"$folder/errors" || status=$?
}

start_peer() {
  "$out/test/peer" "$folder" "${1:-1}" >"$folder/uri" &
  peer=$!
  tries=0
  while [ ! -s "$folder/uri" ]; do
    tries=$((tries + 1))
    [ $tries -lt 2400 ] || fail "the peer does not start"
    sleep 0.05
  done
  uri=$(cat "$folder/uri")
}

# ---- outboard-where
if [ ! -e /run/outboard/outboard.sock ]; then
  status_of "$where"
  is "nothing to be found" "$status $(cat output errors)" "1 "
fi
is "the variable" "$(OUTBOARD=tcp://gpu:5 "$where")" tcp://gpu:5
echo "backend = unix:/there" >outboard.properties
is "the file" "$("$where")" unix:/there
rm outboard.properties
start_peer
is "a backend that answers" "$(OUTBOARD=$uri "$where" --check)" "$uri
the variable OUTBOARD"
wait "$peer" || fail "the backend saw something wrong"
peer=
OUTBOARD=$uri status_of "$where" --check
is "a backend that is gone" "$status $(sed -n 1p output)" "4 $uri"
grep -q "^outboard: cannot use the backend $uri" errors || fail "it does not say why: $(cat errors)"
status_of "$where" --wrong
is "a wrong option" "$status" 2

printf '# ours\n\nbackend = unix:/nobody/there\n' >outboard.properties
is "where it was found" "$("$where" --place)" "unix:/nobody/there
outboard.properties, line 3"
rm outboard.properties

# ---- outboard-run checks the backend before it starts the program
status_of "$run" --on "$uri" -- touch ran
is "a socket that nobody serves" "$status $([ -e ran ] || echo 'did not run')" "126 did not run"
grep -q "^outboard: cannot use the backend $uri (from --on): .*: no backend listens there" errors || fail "it does not say why: $(cat errors)"
OUTBOARD=tcp://127.0.0.1:1 status_of "$run" touch ran
is "a port that nobody serves" "$status $([ -e ran ] || echo 'did not run')" "126 did not run"
grep -q "tcp://127.0.0.1:1 (from the variable OUTBOARD): .*Connection refused" errors || fail "it does not say why: $(cat errors)"
echo "backend = tcp://127.0.0.1:1" >outboard.properties
status_of "$run" touch ran
is "a file that names it" "$status $([ -e ran ] || echo 'did not run')" "126 did not run"
grep -q "(from outboard.properties, line 1)" errors || fail "it does not say why: $(cat errors)"
status_of "$run" --no-check --verbose true
is "where from" "$status $(cat errors)" "0 outboard: the backend is tcp://127.0.0.1:1 (from outboard.properties, line 1)"
status_of "$run" --no-check --verbose --on tcp://gpu true
is "whoever named it" "$status $(cat errors)" "0 outboard: the backend is tcp://gpu (from --on)"
status_of "$run" --no-check --verbose --on vsock://:7 true
is "the host" "$status $(cat errors)" "0 outboard: the backend is vsock://:7 (from --on)"
status_of "$run" --no-check true
is "unchecked" "$status $(cat errors)" "0 "
rm outboard.properties
: >uri
if [ ! -e /run/outboard/outboard.sock ]; then
  status_of "$run" touch ran
  is "no backend" "$status $([ -e ran ] || echo 'did not run')" "126 did not run"
  grep -q "^outboard: no backend found (looked at OUTBOARD, .*set OUTBOARD=unix:PATH" errors || fail "it does not say why: $(cat errors)"
fi
start_peer 2
# shellcheck disable=SC2016
status_of "$run" --on "$uri" -- sh -c '"$1" --check' sh "$where"
is "who named it" "$status $(cat output errors)" "0 $uri
--on"
wait "$peer" || fail "the backend saw something wrong"
peer=

# ---- outboard-run
# shellcheck disable=SC2016 # for the shell that it starts
is "the variables" "$("$run" --no-check --on tcp://gpu:7 -- sh -c 'echo "$OUTBOARD $LD_LIBRARY_PATH"')" "tcp://gpu:7 $out/lib:$out/lib/opencl"
# shellcheck disable=SC2016
is "the program's own path" "$(LD_LIBRARY_PATH=/mine "$run" --no-check --on=tcp://gpu sh -c 'echo "$LD_LIBRARY_PATH"')" "$out/lib:$out/lib/opencl:/mine"
# shellcheck disable=SC2016
is "no backend of its own" "$("$run" --no-check sh -c 'echo "${OUTBOARD-unset}"')" unset
is "arguments as they are" "$("$run" --no-check -- printf '<%s>' 'a  b' '' --on '*')" '<a  b><><--on><*>'
status_of "$run" --no-check -- sh -c 'exit 37'
is "the program's status" "$status" 37
# shellcheck disable=SC2016
status_of "$run" --no-check -- sh -c 'kill -TERM $$'
is "the program's signal" "$status" 143
status_of "$run" --help
is "help" "$status $(head -c 6 output)" "0 usage:"
status_of "$run"
is "no program" "$status" 2
status_of "$run" --wrong true
is "a wrong option" "$status" 2
status_of "$run" ./absent
is "no such file" "$status $(cat errors)" "127 outboard: ./absent: there is no such program"
status_of "$run" absent
is "no such program" "$status $(cat errors)" "127 outboard: absent: there is no such program on PATH"
status_of "$run" ./started
is "not a program" "$status $(cat errors)" "126 outboard: ./started: not a program that can be run"
status_of "$run" --on http://gpu true
is "a wrong URI" "$status" 2
status_of "$run" --on
is "no URI" "$status" 2
ln -s "$run" link
# shellcheck disable=SC2016
is "through a link" "$(./link --no-check sh -c 'echo "$LD_LIBRARY_PATH"')" "$out/lib:$out/lib/opencl"

# ---- outboard-run through ssh, which here is a script with the options of the real one
PATH=$here/bin:$PATH
XDG_RUNTIME_DIR=$folder/run
export XDG_RUNTIME_DIR
status_of "$run" --on ssh://me@gpu -- true
is "no socket over there" "$status" 126
grep -q "no backend listens" errors || fail "it does not say why: $(cat errors)"
mkdir -p run/outboard
: >uri
start_peer 2
ln -s "${uri#unix:}" run/outboard/outboard.sock
: >ssh.log
# shellcheck disable=SC2016
status_of "$run" --on ssh://me@gpu:2222 -- sh -c 'echo "$OUTBOARD"; "$1" --check; exit 9' sh "$where"
is "through ssh" "$status $(cat errors)" "9 "
is "the tunnel is what it uses" "$(sed -n 1p output)" "$(sed -n 2p output)"
wait "$peer" || fail "the backend saw something wrong"
peer=
grep -q -e "-p 2222 .*me@gpu$" ssh.log || fail "port and user: $(cat ssh.log)"
tunnel=$(sed -n 1p output)
tries=0
while ! grep -q -e "-O exit" ssh.log || [ -e "${tunnel#unix:}" ]; do
  tries=$((tries + 1))
  [ $tries -lt 1200 ] || fail "the tunnel stays open"
  sleep 0.1
done
status_of "$run" --on ssh://refused -- true
is "a host that refuses" "$status $(cat errors)" "126 outboard: ssh cannot connect to refused (from --on)"
status_of "$run" --on ssh://-oProxyCommand=x -- true
is "a host that is an option" "$status" 2

xen=$out/bin/outboard-xen
status_of "$xen" 1
is "no backend" "$status" 2
for domain in x 32752 -1; do
  status_of "$xen" "$domain" tcp://gpu
  is "the domain $domain" "$status" 2
done
status_of "$xen" 1 unix:/run/outboard/outboard.sock
is "a backend that would take the domain's programs for its user's" "$status" 2
if [ ! -e /dev/xen/gntalloc ]; then
  rm -f run/outboard/outboard.sock
  status_of "$run" --on xen:0 -- true
  is "a machine that is no domain" "$status" 126
  grep -q "pages (/dev/xen/gntalloc): No such file" errors || fail "it does not say why: $(cat errors)"
fi
is "nothing is left behind" "$(ls tmp)" ""
echo "passed: tools"
