#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles the kernels of this folder to PTX, with clang and nothing else.
set -eu
cd "$(dirname "$0")"
${CLANG:-clang++-19} -O2 -x cuda kernels.cu --cuda-device-only -nocudainc -nocudalib \
  -Wno-unknown-cuda-version --cuda-gpu-arch=sm_75 -S -o ../resources/kernels.ptx
