// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.emit;

import io.outboard.ptx.host.PtxMissing;
import io.outboard.ptx.model.Instruction;

/** An instruction or a form of one that is not implemented. */
public final class Unsupported extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Instruction place;

  public Unsupported(String message) {
    this(message, null);
  }

  private Unsupported(String message, Instruction place) {
    super(message, null, false, false);
    this.place = place;
  }

  /** The same at {@code i}, unless its place is known already. */
  public Unsupported at(Instruction i) {
    return place != null ? this : new Unsupported(getMessage(), i);
  }

  /** Describes it for the user. */
  public PtxMissing missing() {
    return place == null
        ? new PtxMissing(0, getMessage())
        : new PtxMissing(place.line(), place.opcode() + reason());
  }

  private String reason() {
    return getMessage().isEmpty() ? "" : " (" + getMessage() + ")";
  }
}
