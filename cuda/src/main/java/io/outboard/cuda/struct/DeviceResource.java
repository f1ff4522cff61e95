// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.struct;

import io.outboard.spec.Size;
import io.outboard.spec.Struct;

/**
 * A resource of a device.
 *
 * @param type what it is
 * @param value the driver's
 */
@Struct("CUdevResource")
public record DeviceResource(int type, @Size(140) byte[] value) {
  /** Its size in memory. */
  public static final int BYTES = 144;
}
