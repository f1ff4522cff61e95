// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.model;

/** A virtual register; each has its own identity, so that scopes may reuse names. */
public final class Register implements Operand.Leaf {
  private final String name;
  private final Type type;

  public Register(String name, Type type) {
    this.name = name;
    this.type = type;
  }

  public String name() {
    return name;
  }

  public Type type() {
    return type;
  }

  @Override
  public String toString() {
    return name;
  }
}
