// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.simulate;

import io.outboard.lease.Lease;
import io.outboard.lease.schedule.Scheduling;
import io.outboard.lease.schedule.Situation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** The scheduler's yardstick: the first request has GPUs first, or all others wait for it. */
final class FirstComeFirstServed implements Scheduler {
  @Override
  public List<Scheduling.Grant> decide(Situation situation) {
    List<Lease> holding = new ArrayList<>(situation.holding());
    List<Scheduling.Grant> grants = new ArrayList<>();
    List<Lease> waiting =
        situation.waiting().stream().sorted(Comparator.comparing(Lease::requested)).toList();
    for (Lease next : waiting) {
      Situation alone =
          new Situation(situation.now(), situation.gpus(), holding, List.of(next), Map.of());
      List<Scheduling.Grant> one = Scheduling.decide(alone).grants();
      if (one.isEmpty()) {
        return grants;
      }
      grants.addAll(one);
      holding.add(Simulation.granted(one.getFirst(), situation.now()));
    }
    return grants;
  }
}
