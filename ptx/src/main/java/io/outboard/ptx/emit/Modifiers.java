// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.emit;

import io.outboard.ptx.model.Instruction;
import io.outboard.ptx.model.Type;
import java.util.List;

/** The modifiers of one instruction; those that nobody takes are unsupported. */
public final class Modifiers {
  private final List<String> parts;
  private long taken = 1;

  public Modifiers(Instruction instruction) {
    parts = instruction.parts();
  }

  /** Whether {@code modifier} is there; it counts as understood. */
  public boolean take(String modifier) {
    for (int i = 1; i < parts.size(); i++) {
      if (parts.get(i).equals(modifier)) {
        taken |= 1L << i;
        return true;
      }
    }
    return false;
  }

  /** The first of {@code choices} that is there, or null. */
  public String takeOne(String... choices) {
    for (String choice : choices) {
      if (take(choice)) {
        return choice;
      }
    }
    return null;
  }

  /** Marks all of {@code modifiers} as understood: they change nothing here. */
  public void ignore(String... modifiers) {
    for (String modifier : modifiers) {
      take(modifier);
    }
  }

  /** Marks every modifier that begins with {@code prefix} as understood. */
  void ignorePrefix(String prefix) {
    for (int i = 1; i < parts.size(); i++) {
      if (parts.get(i).startsWith(prefix)) {
        taken |= 1L << i;
      }
    }
  }

  /** The next modifier that is a type; it counts as understood. */
  public Type type() {
    for (int i = 1; i < parts.size(); i++) {
      Type type = (taken >>> i & 1) == 0 ? Type.named(parts.get(i)) : null;
      if (type != null) {
        taken |= 1L << i;
        return type;
      }
    }
    throw new Unsupported("no supported type");
  }

  /** The next modifier not yet understood, or null. */
  public String next() {
    for (int i = 1; i < parts.size(); i++) {
      if ((taken >>> i & 1) == 0) {
        taken |= 1L << i;
        return parts.get(i);
      }
    }
    return null;
  }

  /** Throws {@link Unsupported} where a modifier was not understood. */
  public void done() {
    String left = next();
    if (left != null) {
      throw new Unsupported("modifier ." + left);
    }
  }
}
