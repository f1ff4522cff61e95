// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.flow;

import io.outboard.ptx.run.Cut;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers the places where threads enter a region, and the cuts where they wait. */
public final class Entries {
  /** A block to enter, after the waiting block {@code cut} where that is not null. */
  public record Entry(Block block, Block cut) {}

  private final List<Entry> entries = new ArrayList<>();
  private final Map<Entry, Integer> numbers = new HashMap<>();
  private final List<Cut> cuts = new ArrayList<>();
  private final List<CutPlan> plans = new ArrayList<>();
  private final Map<Block, Integer> cutNumbers = new HashMap<>();
  private boolean simple = true;

  /** Numbers the entries that {@code regions} need; the kernel's start is number zero. */
  public Entries(List<Block> blocks, List<Region> regions, LoopCheck loops) {
    number(new Entry(blocks.getFirst(), null));
    for (Region region : regions) {
      region.blocks().forEach(block -> leaving(region, block, loops));
    }
  }

  private void leaving(Region region, Block block, LoopCheck loops) {
    if (block.waits()) {
      cut(block);
      return;
    }
    for (Block next : block.successors()) {
      if (!region.contains(next) || loops.yields(block, next)) {
        number(new Entry(next, null));
        simple = false;
      }
    }
  }

  private void cut(Block block) {
    simple = false;
    CutPlan plan = CutPlan.of(block.last());
    int entry = number(new Entry(block.following(), block));
    cutNumbers.put(block, cuts.size());
    cuts.add(new Cut(plan.operation(), plan.masked(), entry));
    plans.add(plan);
  }

  private int number(Entry entry) {
    Integer known = numbers.putIfAbsent(entry, entries.size());
    if (known != null) {
      return known;
    }
    entries.add(entry);
    return entries.size() - 1;
  }

  /** Whether a thread that has begun never comes back: it runs from start to end at once. */
  public boolean simple() {
    return simple;
  }

  public List<Entry> all() {
    return entries;
  }

  /** The number of the plain entry to {@code block}. */
  public int of(Block block) {
    return numbers.get(new Entry(block, null));
  }

  public List<Cut> cuts() {
    return cuts;
  }

  public int cutNumber(Block block) {
    return cutNumbers.get(block);
  }

  public CutPlan plan(Block block) {
    return plans.get(cutNumbers.get(block));
  }
}
