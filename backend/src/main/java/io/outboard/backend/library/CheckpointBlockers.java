// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.library;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Why a session cannot be suspended, which stays so once it is. */
public final class CheckpointBlockers {
  private final AtomicReference<String> first = new AtomicReference<>();

  /** A session's. */
  public static CheckpointBlockers of(SessionContext context) {
    return context.shared(CheckpointBlockers.class, CheckpointBlockers::new);
  }

  /** The session has something that cannot be put aside. */
  public void add(String what) {
    first.compareAndSet(null, what);
  }

  /** The first of them, for people. */
  public Optional<String> first() {
    return Optional.ofNullable(first.get());
  }
}
