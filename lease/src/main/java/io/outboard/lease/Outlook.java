// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

import java.time.Instant;

/**
 * What somebody may expect who waits for a lease, as things are.
 *
 * @param place among those that wait, from 1
 * @param waiting how many these are
 * @param free when the first lease ends that has a device which fits; {@link Instant#EPOCH} where
 *     no lease has one
 */
public record Outlook(int place, int waiting, Instant free) {
  /** Adds it to a row of a control connection. */
  public Form into(Form form) {
    return form.with("place", place).with("waiting", waiting).with("free", free.toEpochMilli());
  }
}
