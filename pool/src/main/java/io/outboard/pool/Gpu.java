// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool;

import java.util.Optional;

/**
 * A device of the backend.
 *
 * @param number among the backend's, from 0
 * @param uuid as the vendor writes it, {@code GPU-…}
 * @param model its name
 * @param memory bytes
 * @param architecture its generation, where that is known
 */
public record Gpu(
    int number, String uuid, String model, long memory, Optional<Architecture> architecture) {
  /** One whose generation is not known. */
  public Gpu(int number, String uuid, String model, long memory) {
    this(number, uuid, model, memory, Optional.empty());
  }

  /** Whether another one is the same device, whatever was known of it when. */
  public boolean is(Gpu other) {
    return uuid.equals(other.uuid);
  }
}
