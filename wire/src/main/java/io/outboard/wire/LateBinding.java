// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

import java.util.function.BooleanSupplier;

/**
 * The handles of a binding to a library: each in a nested class, which makes it when it is
 * initialised. That is when its function is first called, or here.
 */
public final class LateBinding {
  private LateBinding() {}

  /**
   * Makes the handles of a class and of those that it extends, until that will do. The library
   * itself is not called.
   *
   * @param enough is asked again and again whether it will
   */
  public static void bindAll(Class<?> binding, BooleanSupplier enough) {
    for (Class<?> type = binding; type != Object.class; type = type.getSuperclass()) {
      for (Class<?> holder : type.getDeclaredClasses()) {
        if (enough.getAsBoolean()) {
          return;
        }
        initialize(holder);
      }
    }
  }

  private static void initialize(Class<?> holder) {
    try {
      Class<?> unused = Class.forName(holder.getName(), true, holder.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new AssertionError("a class that is there", e);
    }
  }
}
