#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Threads and neighbours on a GPU machine: natively, over shared memory and over TCP, in turns.
# usage: S=UNPACKED_SERVER OUT=FOLDER [NUMBERS='1 4 16'] [WAYS='native shm'] \
#        bash threads.sh [SECONDS [TABLE...]]
# 390 seconds at most are used. A TABLE is one of
#   threads     1 to 16 threads with a stream each; and the same for longer
#   pools       the same with memory of a pool
#   registered  copies from ordinary memory, and memory that the program registers
#   training    NUMBERS of programs at once whose loss is read each time, in these WAYS
#   neighbours  the threads beside 1, 5 and 15 programs that train
#   hostfn      functions of the program in a stream, a launch behind one, and a call in the midst
#               of another thread's wait; one-ring is without the ring of functions
# Writes OUT/threads.tsv (what, programs or threads, way, turn, µs a step, µs of processor time a
# step, of training alone) and prints it; OUT/processor.tsv says which threads had that. Needs
# nothing but the server's tarball, made by 'outboard dist', and a shell.
set -u
: "${S:?}" "${OUT:?}"
MOST=${1:-390} TABLE=$OUT/threads.tsv
shift $(($# > 0))
TABLES=" ${*:-hostfn threads pools registered training neighbours} "
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
  # It would wait for programs that were ended, which over TCP may come back for a minute.
  for _ in 1 2 3 4 5; do kill -0 $SERVER 2>/dev/null && sleep 0.5; done
  kill -9 $SERVER 2>/dev/null
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

# each WHAT COUNT WAY TURN: each figure of one run of loops is a row.
each() {
  (way "$3" timeout 60 "$LOOPS" "$1" "$2") 2>>"$OUT/errors" |
    sed -n 's/^{"figure":"\([a-z_0-9]*\)","value":\(.*\)}$/\1 \2/p' |
    while read -r what us; do say "$what" 1 "$3" "$4" "$us" -; done
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

# Those whose processor time a step takes: the programs, their workers, and the daemon. Not workers
# that wait for a program, and warm up where nothing else is to be done.
parties() {
  echo $SERVER
  for p in "${NEIGHBOURS[@]}"; do
    echo "$p"
    sed -n "s/.*(process $p), worker \([0-9]*\)$/\1/p" "$OUT/serve.log"
  done
}

# ticks PROCESS...: a line for each kind of thread: process/thread, ticks; names without numbers.
ticks() {
  for p in "$@"; do
    read -r name <"/proc/$p/comm" && cat /proc/$p/task/*/stat | sed "s|^[0-9]* (|$name/|"
  done 2>/dev/null | awk '{
      name = $0; sub(/\) [A-Z] .*$/, "", name); gsub(/[0-9 #-]+/, "", name)
      sub(/^.*\) /, ""); ticks[name] += $12 + $13
    } END {for (n in ticks) print n, ticks[n]}'
}

# training WAY N TURN: four seconds of N programs at once, once all have begun.
training() {
  if start "$1" "$2"; then
    sleep 1.5
    mapfile -t all < <(parties)
    for f in "$HOME_"/training.*; do wc -l <"$f"; done >"$HOME_/before"
    ticks "${all[@]}" >"$HOME_/ticks"
    begun=$(date +%s%N)
    sleep 4
    ns=$(($(date +%s%N) - begun))
    ticks "${all[@]}" >"$HOME_/ticks.after"
    us=$(paste -d ' ' <(cat "$HOME_/before") <(ls "$HOME_"/training.*) | while read -r n f; do
      tail -n +$((n + 1)) "$f"; done | sed 's/.*"value":\(.*\)}/\1/' | sort -g |
      awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}')
    awk -v row="$2 $1" -v us="$us" -v all=$((TICK * ns / 1000)) -v n="$2" '
      NR == FNR {before[$1] = $2; next}
      {printf "%s\t%s\t%.1f\n", row, $1, ($2 - before[$1]) * 1e6 * us / all / n}' \
      "$HOME_/ticks" "$HOME_/ticks.after" | sort -t "$(printf '\t')" -k 3 -gr >"$HOME_/parts"
    awk '$NF >= 5' "$HOME_/parts" >>"$OUT/processor.tsv"
    say training "$2" "$1" "$3" "$us" "$(awk '{s += $NF} END {print s}' "$HOME_/parts")"
  fi
  stop
}

wanted() { case $TABLES in *" $1 "*) left ;; *) return 1 ;; esac }

for turn in 1 2 3; do
  for way in native shm one-ring tcp; do
    wanted hostfn && each functions 2000 $way $turn
    wanted hostfn && each held 10 $way $turn
  done
done
for turn in 1 2; do
  for way in native shm one-ring one-connection tcp; do
    wanted threads && figures threads 2000 $way $turn 0
  done
  for way in native shm tcp; do # so long that what is compiled meanwhile counts for little
    wanted threads && figures threads 10000 $way "$turn, long" 0
  done
  for way in native shm one-ring one-connection tcp; do
    wanted pools && figures pools 300 $way $turn 0
  done
done
for way in native shm tcp; do
  wanted registered && (way $way timeout 60 "$LOOPS" registered 10) 2>>"$OUT/errors" |
    sed "s/^/# $way: /" | tee -a "$TABLE"
done
for n in ${NUMBERS:-1 4 16 8 2 32 64}; do
  for way in ${WAYS:-native shm tcp}; do wanted training && training $way $n 1; done
done
for n in 1 5 15; do
  for way in native shm one-connection tcp; do
    wanted neighbours && start $way $n && figures threads 1000 $way 1 $n
    stop
  done
done
