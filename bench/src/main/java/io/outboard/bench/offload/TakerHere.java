// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.offload;

import io.outboard.offload.Offloaded;

/** Counts them. */
@Offloaded
public final class TakerHere implements Taker {
  @Override
  public int take(byte[] bytes) {
    return bytes.length;
  }
}
