// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.greeting;

import io.outboard.wire.Refusal;
import java.io.IOException;

/** A backend turned a client away; either side's view. */
public final class RefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient Refusal refusal;

  /** Creates one. */
  public RefusedException(Refusal refusal) {
    super(refusal.text());
    this.refusal = refusal;
  }

  /** The backend's answer. */
  public Refusal refusal() {
    return refusal;
  }
}
