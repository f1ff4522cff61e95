// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.launch;

import io.outboard.cuda.struct.LaunchAttribute;
import io.outboard.cuda.struct.LaunchConfig;
import io.outboard.wire.Native;

/** The attributes of a launch's configuration. */
public final class LaunchAttributes {
  /** Offset of an attribute's value. */
  private static final int VALUE = 8;

  /** {@code CUaccessPolicyWindow}: what of a range is kept in a cache. */
  private static final int ACCESS_POLICY_WINDOW = 1;

  private static final int HIT_RATIO = 16;
  private static final int HIT_PROPERTY = 20;
  private static final int MISS_PROPERTY = 24;

  /** {@code CU_ACCESS_PROPERTY_PERSISTING}. */
  private static final int LAST_PROPERTY = 2;

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

  /** Whether they ask for clusters. */
  public static boolean haveCluster(long config) {
    long attributes = Native.getLong(config + LaunchConfig.ATTRIBUTES);
    int count = Native.getInt(config + LaunchConfig.ATTRIBUTE_COUNT);
    for (int i = 0; i < count; i++) {
      int attribute = Native.getInt(attributes + (long) i * LaunchAttribute.BYTES);
      if (attribute == LaunchAttribute.CLUSTER_DIMENSION) {
        return true;
      }
    }
    return false;
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
      case LaunchAttribute.DEVICE_UPDATABLE_KERNEL_NODE -> Native.getInt(value) == 0;
      case LaunchAttribute.PROGRAMMATIC_EVENT, LaunchAttribute.LAUNCH_COMPLETION_EVENT -> false;
      default -> true;
    };
  }

  /** Whether there is such a value of an attribute. */
  public static boolean isValid(int attribute, long value) {
    if (attribute != ACCESS_POLICY_WINDOW) {
      return true;
    }
    float ratio = Native.getFloat(value + HIT_RATIO);
    return ratio >= 0
        && ratio <= 1
        && isProperty(Native.getInt(value + HIT_PROPERTY))
        && isProperty(Native.getInt(value + MISS_PROPERTY));
  }

  private static boolean isProperty(int property) {
    return property >= 0 && property <= LAST_PROPERTY;
  }

  private static boolean isOneBlock(long dimensions) {
    return Native.getInt(dimensions) <= 1
        && Native.getInt(dimensions + 4) <= 1
        && Native.getInt(dimensions + 8) <= 1;
  }
}
