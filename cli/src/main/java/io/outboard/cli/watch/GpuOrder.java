// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.watch;

/** By what {@code top} sorts GPUs. */
enum GpuOrder {
  number,
  busy,
  memory,
  share
}
