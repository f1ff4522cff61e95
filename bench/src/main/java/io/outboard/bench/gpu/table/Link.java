// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.table;

/**
 * A kind of link, as the name of a way has it.
 *
 * @param roundTrip milliseconds
 */
public record Link(double roundTrip) {
  private static final String PREFIX = "tcp, ";
  private static final String SUFFIX = " ms";

  /** The link of a way that {@link #name} named. */
  static Link of(String way) {
    String number = way.substring(PREFIX.length(), way.length() - SUFFIX.length());
    return new Link(Double.parseDouble(number));
  }

  public String name() {
    return PREFIX + Numbers.plain(roundTrip) + SUFFIX;
  }
}
