#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: train.sh JAVA CLASSES FRONTEND PROGRAM CACHE
# Runs PROGRAM on an embedded backend whose virtual machines write down, as they end, what they
# loaded: CACHE/*.aot, with which later ones start sooner (JEP 483, 514). FRONTEND has the folders
# lib and bin.
set -eu
java=$1 jar=$2 tools=$3/bin libraries=$3/lib program=$4 cache=$5
training=yes
. "$(dirname "$0")/commands.sh"

# The file appears whole, once a process of its own has made it from the record.
await() {
  tries=0
  until [ -f "$cache/$1.aot" ] && [ ! -f "$cache/$1.aot.config" ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 1800 ] || fail "$cache/$1.aot does not appear"
    sleep 0.1
  done
}

# In a shell of its own, with whose end the backends end. The command asks one that writes nothing
# down: to make a cache takes longer than all the rest, and its worker would make one too.
record() {
  training=
  embed software 0
  training=yes
  (java_command devices)
  embed software 0
  "$tools/outboard-run" -- "$program"
  await worker
}

if [ "${6:-}" = record ]; then
  record
else
  rm -rf "$cache"
  mkdir -p "$cache"
  sh "$0" "$@" record
  await embedded
  await command
fi
