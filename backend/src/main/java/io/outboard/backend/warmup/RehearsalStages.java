// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.warmup;

import io.outboard.backend.library.RehearsalPiece;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Stages for all that clients may come with, on which a piece is played in turn. */
final class RehearsalStages implements AutoCloseable {
  private static final int LEASED = 3;

  private final RehearsedLimits limits = RehearsedLimits.create();
  private final List<RehearsalStage> stages = new ArrayList<>();
  private int played;

  private RehearsalStages() throws IOException {}

  /** Opens all of them, or none. */
  static RehearsalStages open(RehearsalPiece piece) throws IOException {
    RehearsalStages opened = new RehearsalStages();
    try {
      opened.fill(piece);
      return opened;
    } catch (IOException | RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  /** Sessions with all of the devices, then those of leases. */
  private void fill(RehearsalPiece piece) throws IOException {
    stages.add(RehearsalStage.overRings(piece));
    stages.add(RehearsalStage.overSockets(piece));
    stages.add(RehearsalStage.overRings(piece));
    for (int i = 0; i < LEASED; i++) {
      stages.add(RehearsalStage.overRings(piece, limits.allotment()));
    }
  }

  /** The one whose turn it is. */
  RehearsalStage next() {
    return stages.get(played++ % stages.size());
  }

  /** The last one first; the limits are gone when nobody has them. */
  @Override
  public void close() {
    stages.reversed().forEach(RehearsalStage::close);
    limits.close();
  }
}
