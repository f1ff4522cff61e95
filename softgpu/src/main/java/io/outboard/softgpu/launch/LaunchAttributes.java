// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.launch;

import io.outboard.cuda.struct.LaunchAttribute;
import io.outboard.cuda.struct.LaunchConfig;
import io.outboard.wire.Native;

/** The attributes of a launch's configuration. */
public final class LaunchAttributes {
  /** Offset of an attribute's value. */
  private static final int VALUE = 8;

  private LaunchAttributes() {}

  /** Whether a launch with these attributes does here what it does elsewhere. */
  public static boolean arePossible(long config) {
    long attributes = Native.getLong(config + LaunchConfig.ATTRIBUTES);
    int count = Native.getInt(config + LaunchConfig.ATTRIBUTE_COUNT);
    for (int i = 0; i < count; i++) {
      long attribute = attributes + (long) i * LaunchAttribute.BYTES;
      if (!isPossible(Native.getInt(attribute), attribute + VALUE)) {
        return false;
      }
    }
    return true;
  }

  /** Whether they ask for a cooperative launch. */
  public static boolean areCooperative(long config) {
    long attributes = Native.getLong(config + LaunchConfig.ATTRIBUTES);
    int count = Native.getInt(config + LaunchConfig.ATTRIBUTE_COUNT);
    boolean cooperative = false;
    for (int i = 0; i < count; i++) {
      long attribute = attributes + (long) i * LaunchAttribute.BYTES;
      cooperative |= isCooperative(Native.getInt(attribute), attribute + VALUE);
    }
    return cooperative;
  }

  /** Whether this value of an attribute asks for a cooperative launch. */
  public static boolean isCooperative(int attribute, long value) {
    return attribute == LaunchAttribute.COOPERATIVE && Native.getInt(value) != 0;
  }

  /** Whether a launch with this value of an attribute does here what it does elsewhere. */
  public static boolean isPossible(int attribute, long value) {
    return switch (attribute) {
      case LaunchAttribute.CLUSTER_DIMENSION, LaunchAttribute.PREFERRED_CLUSTER_DIMENSION ->
          isOneBlock(value);
      case LaunchAttribute.PROGRAMMATIC_EVENT,
          LaunchAttribute.LAUNCH_COMPLETION_EVENT,
          LaunchAttribute.DEVICE_UPDATABLE_KERNEL_NODE ->
          false;
      default -> true;
    };
  }

  private static boolean isOneBlock(long dimensions) {
    return Native.getInt(dimensions) <= 1
        && Native.getInt(dimensions + 4) <= 1
        && Native.getInt(dimensions + 8) <= 1;
  }
}
