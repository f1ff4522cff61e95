#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: train.sh JAVA CLASSES TOOLS CACHE PROGRAMS
# Runs programs on an embedded backend whose virtual machines write down what they loaded, into CACHE: embedded.aot and worker.aot.
set -eu
java=$1 classes=$2 tools=$3 cache=$4 programs=$5

train() {
  machine="-XX:+UseSerialGC -XX:-UsePerfData --enable-native-access=ALL-UNNAMED"
  "$java" $machine -XX:TieredStopAtLevel=1 -XX:AOTCacheOutput="$cache/embedded.aot" \
    "-Doutboard.worker.options=-XX:+UseSerialGC -XX:-UsePerfData -XX:AOTCacheOutput=$cache/worker.aot" \
    -cp "$classes" io.outboard.cli.Embedded "$$" software
}
train
