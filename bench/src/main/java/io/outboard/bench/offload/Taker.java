// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.offload;

import io.outboard.offload.Offload;
import io.outboard.offload.Repeatable;

/** Takes bytes, as offloaded methods do. */
@Offload("taker")
public interface Taker {
  /** Returns how many there are. */
  @Repeatable
  int take(byte[] bytes);
}
