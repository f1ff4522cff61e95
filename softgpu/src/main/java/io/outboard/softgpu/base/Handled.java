// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.base;

/** An object that a program knows by a handle. */
public abstract class Handled {
  private long handle;

  /** The native value of the handle; 0 before the object is in the table. */
  public final long handle() {
    return handle;
  }

  /** Called by the table, before the object is published. */
  final void name(long value) {
    handle = value;
  }
}
