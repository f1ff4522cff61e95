#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Threads and neighbours on a GPU machine: natively, over shared memory and over TCP, in turns.
# usage: S=UNPACKED_SERVER OUT=FOLDER bash threads.sh [SECONDS, 390 at most are used]
# Writes OUT/threads.tsv (what, programs or threads, way, turn, µs a step, µs of processor time a
# step) and prints it. Needs nothing but the server's tarball, made by 'outboard dist', and a shell.
set -u
: "${S:?}" "${OUT:?}"
MOST=${1:-390} TABLE=$OUT/threads.tsv
LOOPS=$S/lib/bench/gpu/loops
HOME_=$(mktemp -d) PORT=${PORT:-17931}
TICK=$(getconf CLK_TCK)
mkdir -p "$HOME_/outboard" && chmod 700 "$HOME_/outboard"
export XDG_RUNTIME_DIR=$HOME_ XDG_CACHE_HOME=$HOME_/cache
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | sed 's/^/# /' | tee "$TABLE"
echo "# $(nproc) processors, $(date -u '+%F %H:%M')" | tee -a "$TABLE"

"$S/bin/outboard" serve "--listen=unix:$HOME_/outboard/outboard.sock" \
  "--listen=tcp://127.0.0.1:$PORT" >"$OUT/serve.out" 2>"$OUT/serve.log" &
SERVER=$!
NEIGHBOURS=()
end() {
  [ ${#NEIGHBOURS[@]} = 0 ] || kill "${NEIGHBOURS[@]}" 2>/dev/null
  kill $SERVER
  wait
  rm -rf "$HOME_"
}
trap end EXIT
for _ in $(seq 100); do [ "$(grep -c ' at ' "$OUT/serve.out")" -ge 2 ] && break; sleep 0.2; done
TOKEN=$(cat "$HOME_/outboard/token")

say() { printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$@" | tee -a "$TABLE"; }
left() { [ "$SECONDS" -lt "$MOST" ]; }

# way NAME PROGRAM...: becomes the program; one-ring and one-connection are shm and tcp with one for
# all threads.
way() {
  name=$1; shift
  case $name in
    native) exec "$@" ;;
    one-ring) export OUTBOARD_RINGS=1 ;&
    shm) export OUTBOARD=shm:$HOME_/outboard/outboard.sock ;;
    one-connection) export OUTBOARD_RINGS=1 ;&
    tcp) export OUTBOARD=tcp://127.0.0.1:$PORT OUTBOARD_TOKEN=$TOKEN ;;
  esac
  LD_LIBRARY_PATH=$S/lib/frontend/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} exec "$@"
}

# figures WHAT COUNT WAY TURN NEIGHBOURS: rows of one run of loops.
figures() {
  (way "$3" timeout 60 "$LOOPS" "$1" "$2") 2>>"$OUT/errors" |
    sed -n 's/^{"figure":"\([a-z]*\)_\([0-9]*\)","value":\(.*\)}$/\1 \2 \3/p' |
    while read -r what threads us; do say "$what, $5 neighbours" "$threads" "$3" "$4" "$us" -; done
}

# start WAY N: so many programs that train, and waits until each has begun.
start() {
  NEIGHBOURS=()
  rm -f "$HOME_"/training.*
  for i in $(seq "$2"); do
    (way "$1" "$LOOPS" training 600) >"$HOME_/training.$i" 2>>"$OUT/errors" &
    NEIGHBOURS+=($!)
  done
  for _ in $(seq 300); do
    [ "$(grep -l figure "$HOME_"/training.* 2>/dev/null | wc -l)" = "$2" ] && return 0
    kill -0 "${NEIGHBOURS[@]}" 2>/dev/null || break # one has failed
    sleep 0.2
  done
  echo "# $1: $2 programs did not begin" | tee -a "$TABLE"
  return 1
}

stop() { kill "${NEIGHBOURS[@]}" 2>/dev/null; wait "${NEIGHBOURS[@]}" 2>/dev/null; NEIGHBOURS=(); }

# Of all processes here, in ticks; what has ended counts with its parent.
processor() {
  cat /proc/[0-9]*/stat 2>/dev/null |
    awk '{sub(/^.*\) /, ""); s += $12 + $13 + $14 + $15} END {print s}'
}

# training WAY N TURN: four seconds of N programs at once, from the second in which all have begun.
training() {
  if start "$1" "$2"; then
    sleep 1.5
    for f in "$HOME_"/training.*; do wc -l <"$f"; done >"$HOME_/before"
    before=$(processor) begun=$(date +%s%N)
    sleep 4
    used=$(($(processor) - before)) ns=$(($(date +%s%N) - begun))
    us=$(paste -d ' ' <(cat "$HOME_/before") <(ls "$HOME_"/training.*) | while read -r n f; do
      tail -n +$((n + 1)) "$f"; done | sed 's/.*"value":\(.*\)}/\1/' | sort -g |
      awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}')
    say training "$2" "$1" "$3" "$us" \
      "$(awk "BEGIN {print int($used / $TICK * 1e6 / ($ns / 1e3 / $us) / $2 * 10) / 10}")"
  fi
  stop
}

for turn in 1 2; do
  for way in native shm one-ring one-connection tcp; do
    left && figures threads 2000 $way $turn 0
  done
  for way in native shm tcp; do # so long that what is compiled meanwhile counts for little
    left && figures threads 10000 $way "$turn, long" 0
  done
  for way in native shm one-ring one-connection tcp; do
    left && figures pools 300 $way $turn 0
  done
done
for way in native shm tcp; do
  left && (way $way timeout 60 "$LOOPS" registered 10) 2>>"$OUT/errors" |
    sed "s/^/# $way: /" | tee -a "$TABLE"
done
for n in 1 4 16 8 2 32; do
  for way in native shm tcp; do left && training $way $n 1; done
done
for n in 1 5 15; do
  for way in native shm one-connection tcp; do
    left && start $way $n && figures threads 1000 $way 1 $n
    stop
  done
done
for way in native shm tcp; do left && training $way 64 1; done
