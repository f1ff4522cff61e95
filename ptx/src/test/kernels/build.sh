#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles the kernels of this folder to PTX, with clang and nothing else.
set -eu
cd "$(dirname "$0")"
for source in *.cu; do
  ${CLANG:-clang++-19} -O2 -ffp-contract=off -fdeclspec -x cuda "$source" --cuda-device-only -nocudainc -nocudalib \
    -Wno-unknown-cuda-version --cuda-gpu-arch=sm_75 -S -o "../resources/kernels/${source%.cu}.ptx"
done
