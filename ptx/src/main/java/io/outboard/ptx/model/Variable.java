// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.model;

import io.outboard.ptx.host.Space;

/** A named piece of memory in some state space; {@code size} is 0 where a launch decides it. */
public final class Variable {
  private final String name;
  private final Space space;
  private final long size;
  private final int align;
  private final Initializer initializer;
  private final boolean managed;

  public Variable(String name, Space space, long size, int align, Initializer initializer) {
    this(name, space, size, align, initializer, false);
  }

  public Variable(
      String name, Space space, long size, int align, Initializer initializer, boolean managed) {
    this.name = name;
    this.space = space;
    this.size = size;
    this.align = align;
    this.initializer = initializer;
    this.managed = managed;
  }

  public String name() {
    return name;
  }

  public Space space() {
    return space;
  }

  /** In bytes. */
  public long size() {
    return size;
  }

  /** In bytes. */
  public int align() {
    return align;
  }

  /** The first contents, or null where there are none. */
  public Initializer initializer() {
    return initializer;
  }

  /** Whether the program is to use it at the same address. */
  public boolean managed() {
    return managed;
  }

  @Override
  public String toString() {
    return name;
  }
}
