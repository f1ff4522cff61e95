// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import io.outboard.lease.GpuUse;
import io.outboard.lease.node.NodeReport;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * The use that a lease has had of its devices: of this node's since this process began, of other
 * nodes' since its grant. It only grows, and stands still while nothing is done.
 *
 * @param calls that its programs made; 0 for those of other nodes, which do not say
 * @param bytesIn that came from them
 * @param bytesOut that went to them
 * @param busy nanoseconds in which its devices had work of it, in all; none where not measured
 * @param energy millijoules of its devices; none where not measured
 */
public record LeaseWork(
    long calls, long bytesIn, long bytesOut, OptionalLong busy, OptionalLong energy) {
  /** That of a lease of which nothing is known. */
  public static final LeaseWork NONE =
      new LeaseWork(0, 0, 0, OptionalLong.empty(), OptionalLong.empty());

  static LeaseWork of(NodeReport.Held held) {
    return new LeaseWork(
        0,
        held.use().stream().mapToLong(GpuUse::bytesIn).sum(),
        held.use().stream().mapToLong(GpuUse::bytesOut).sum(),
        sum(held, GpuUse::busy),
        sum(held, GpuUse::energy));
  }

  private static OptionalLong sum(NodeReport.Held held, Function<GpuUse, OptionalLong> figure) {
    return held.use().stream().map(figure).reduce(OptionalLong.empty(), LeaseWork::plus);
  }

  private static OptionalLong plus(OptionalLong one, OptionalLong other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.isEmpty() ? other : one;
    }
    return OptionalLong.of(one.getAsLong() + other.getAsLong());
  }

  /** Both. */
  public LeaseWork plus(LeaseWork other) {
    return new LeaseWork(
        calls + other.calls,
        bytesIn + other.bytesIn,
        bytesOut + other.bytesOut,
        plus(busy, other.busy),
        plus(energy, other.energy));
  }
}
