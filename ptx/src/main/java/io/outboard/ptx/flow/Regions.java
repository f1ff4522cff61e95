// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.flow;

import java.util.ArrayList;
import java.util.List;

/**
 * Divides blocks into regions: blocks that can be reached without waiting belong together, as far
 * as one method has room for them.
 */
public final class Regions {
  private final List<Block> blocks;
  private final int limit;
  private final int[] leaders;
  private final int[] bytes;
  private final List<Region> regions = new ArrayList<>();
  private final Region[] regionOf;

  private Regions(List<Block> blocks, int limit) {
    this.blocks = blocks;
    this.limit = limit;
    this.leaders = new int[blocks.size()];
    this.bytes = new int[blocks.size()];
    this.regionOf = new Region[blocks.size()];
  }

  /** Regions of at most {@code limit} bytes, blocks permitting; the first has the first block. */
  public static List<Region> of(List<Block> blocks, int limit) {
    Regions regions = new Regions(blocks, limit);
    regions.connect();
    regions.divide();
    return regions.regions;
  }

  private void connect() {
    for (Block block : blocks) {
      leaders[block.index()] = block.index();
    }
    for (Block block : blocks) {
      if (!block.waits()) {
        block.successors().forEach(next -> join(block.index(), next.index()));
      }
    }
    for (Block block : blocks) {
      bytes[leader(block.index())] += block.bytes();
    }
  }

  private int leader(int index) {
    int at = index;
    while (leaders[at] != at) {
      leaders[at] = leaders[leaders[at]];
      at = leaders[at];
    }
    return at;
  }

  private void join(int a, int b) {
    int first = leader(a);
    int second = leader(b);
    leaders[Math.max(first, second)] = Math.min(first, second);
  }

  /** Divides a group that does not fit into one method, in the order of the text. */
  private void divide() {
    int[] used = new int[blocks.size()];
    for (Block block : blocks) {
      int leader = leader(block.index());
      boolean full = bytes[leader] > limit && used[leader] + block.bytes() > limit;
      if (regionOf[leader] == null || (full && used[leader] > 0)) {
        regionOf[leader] = new Region(regions.size());
        regions.add(regionOf[leader]);
        used[leader] = 0;
      }
      regionOf[leader].add(block);
      used[leader] += block.bytes();
    }
  }
}
