// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.simulate;

import io.outboard.lease.schedule.Scheduling;
import io.outboard.lease.schedule.Situation;
import java.util.List;

/** Decides who gets GPUs. */
@FunctionalInterface
interface Scheduler {
  List<Scheduling.Grant> decide(Situation situation);
}
