// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.site;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which sites are asked, and in which order: those that have room now, most room first; then those
 * that have such GPUs and no room, most room first. Where that is the same, the order of the
 * configuration file decides. A site whose offer cannot be read, or that has too few such GPUs, is
 * not asked.
 */
public final class SiteOrder {
  private final Wanted wanted;
  private final List<Offered> all;

  public SiteOrder(Wanted wanted, List<Offered> all) {
    this.wanted = wanted;
    this.all = List.copyOf(all);
  }

  /** Those that may grant it at once, the best first. */
  public List<Offered> now() {
    return ranked().filter(one -> one.offer().orElseThrow().hasRoom(wanted)).toList();
  }

  /** Those that may grant it later, the best first. */
  public List<Offered> later() {
    List<Offered> later = new ArrayList<>(ranked().toList());
    later.removeAll(now());
    return later;
  }

  /** Those that are not asked. */
  public List<Offered> never() {
    List<Offered> never = new ArrayList<>(all);
    never.removeAll(ranked().toList());
    return never;
  }

  /** A stable sort: the file's order stays. */
  private Stream<Offered> ranked() {
    return all.stream()
        .filter(one -> one.offer().filter(offer -> offer.has(wanted)).isPresent())
        .sorted(
            Comparator.comparingLong((Offered one) -> one.offer().orElseThrow().room(wanted))
                .reversed());
  }
}
