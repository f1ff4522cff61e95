// SPDX-License-Identifier: Apache-2.0
package io.outboard.office;

import io.outboard.office.rest.Fields;

/**
 * A device of the pool.
 *
 * @param model its name
 * @param arch its generation, as {@code hopper}; empty if it is not known
 * @param memory bytes
 * @param whole whether it is a GPU, and no slice of one
 * @param healthy whether leases can get it: it has not failed, and is not out for maintenance
 * @param used whether a lease or a session has some of it
 */
public record Device(
    String model, String arch, long memory, boolean whole, boolean healthy, boolean used) {

  /** A suspended lease has its GPU still, and leaves all of it to others. */
  private static boolean isUsed(Fields fields) {
    return fields.decimal("share").signum() > 0
        || fields.count("leasedMemory") > 0
        || fields.count("common") > 0;
  }

  static Device of(Fields fields) {
    return new Device(
        fields.text("model"),
        fields.text("arch"),
        fields.count("memory"),
        fields.text("profile").isEmpty(),
        fields.text("failed").isEmpty() && fields.text("cordoned").isEmpty(),
        isUsed(fields));
  }
}
