// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu;

import io.outboard.bench.gpu.link.ShapedLink;
import io.outboard.bench.gpu.run.Installation;
import io.outboard.bench.gpu.run.Way;
import io.outboard.bench.gpu.table.Link;
import io.outboard.bench.measure.Backend;
import io.outboard.bench.measure.Medium;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The ways to run a program here.
 *
 * @param installation where {@code outboard-run} is
 * @param backend Outboard's
 * @param reference a backend that stands for this machine's driver; null for that driver itself
 */
record Routes(Installation installation, Backend backend, String reference) {

  /** The way that the others are compared with. */
  Way before() {
    return reference == null
        ? Way.plain()
        : Way.remote(Way.NATIVE, installation.runner(), reference, true);
  }

  /** That one, then each medium. */
  List<Way> over(List<Medium> media) {
    return Stream.concat(Stream.of(before()), media.stream().map(this::over)).toList();
  }

  private Way over(Medium medium) {
    return Way.remote(
        medium.toString(), installation.runner(), medium.endpoint(backend), medium == Medium.SHM);
  }

  /** That one, then a link of each round trip, all of one rate. */
  List<Way> over(List<Double> roundTrips, double megabits, Opened opened) throws IOException {
    List<Way> ways = new ArrayList<>(List.of(before()));
    for (double roundTrip : roundTrips) {
      ShapedLink link = opened.add(new ShapedLink(backend.tcp(), roundTrip, megabits));
      ways.add(
          Way.remote(new Link(roundTrip).name(), installation.runner(), link.endpoint(), false));
    }
    return ways;
  }
}
