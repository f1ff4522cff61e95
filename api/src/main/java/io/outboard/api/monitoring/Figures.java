// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.monitoring;

import java.util.Map;

/** Takes the figures of a moment, family by family. */
public interface Figures {
  /**
   * A family of figures begins, which may have no sample.
   *
   * @param kind {@code gauge}, or {@code counter} for what only grows
   * @param help for people
   */
  void family(String name, String kind, String help);

  /** A figure of the family that has begun. */
  void sample(Map<String, String> labels, Number value);
}
