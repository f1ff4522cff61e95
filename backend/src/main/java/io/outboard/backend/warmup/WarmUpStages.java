// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.warmup;

import io.outboard.backend.library.Allotment;
import io.outboard.backend.library.WarmUpScript;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Stages for all that clients may come with, on which a piece is played in turn. */
final class WarmUpStages implements AutoCloseable {
  private static final int LEASED = 3;

  private final WarmUpLimits limits = WarmUpLimits.create();
  private final List<WarmUpStage> stages = new ArrayList<>();
  private int played;

  private WarmUpStages() throws IOException {}

  /** Opens all of them, or none. */
  static WarmUpStages open(WarmUpScript piece) throws IOException {
    WarmUpStages opened = new WarmUpStages();
    try {
      opened.fill(piece);
      return opened;
    } catch (IOException | RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  /** Sessions with all of the devices, those with rings of threads, then those of leases. */
  private void fill(WarmUpScript piece) throws IOException {
    stages.add(WarmUpStage.overRings(piece));
    stages.add(WarmUpStage.overSockets(piece));
    stages.add(WarmUpStage.overRings(piece));
    stages.add(WarmUpStage.overRingsOfThreads(piece, Allotment.EVERYTHING));
    stages.add(WarmUpStage.overRingsOfThreads(piece, limits.allotment()));
    for (int i = 0; i < LEASED; i++) {
      stages.add(WarmUpStage.overRings(piece, limits.allotment()));
    }
  }

  /** The one whose turn it is. */
  WarmUpStage next() {
    return stages.get(played++ % stages.size());
  }

  /** The last one first; the limits are gone when nobody has them. */
  @Override
  public void close() {
    stages.reversed().forEach(WarmUpStage::close);
    limits.close();
  }
}
