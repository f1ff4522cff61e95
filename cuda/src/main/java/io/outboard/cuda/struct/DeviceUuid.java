// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.struct;

import io.outboard.wire.Native;
import java.util.UUID;

/** The UUID of a device, as the vendor's tools and the management library write it. */
public final class DeviceUuid {
  /** How many bytes {@code cuDeviceGetUuid_v2} writes. */
  public static final int BYTES = 2 * Long.BYTES;

  private DeviceUuid() {}

  /** The text of what {@code cuDeviceGetUuid_v2} has written. */
  public static String at(long address) {
    long high = Long.reverseBytes(Native.getLong(address));
    long low = Long.reverseBytes(Native.getLong(address + Long.BYTES));
    return "GPU-" + new UUID(high, low);
  }
}
