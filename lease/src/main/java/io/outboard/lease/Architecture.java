// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Generations of NVIDIA's GPUs, by the compute capability that each begins with. */
public enum Architecture {
  /** GTX 900, M40. */
  MAXWELL(5, 0),
  /** P4, P100. */
  PASCAL(6, 0),
  /** V100. */
  VOLTA(7, 0),
  /** T4. */
  TURING(7, 5),
  /** A10, A100. */
  AMPERE(8, 0),
  /** L4, L40. */
  ADA(8, 9),
  /** H100, H200. */
  HOPPER(9, 0),
  /** B200, RTX 50. */
  BLACKWELL(10, 0);

  /** The end of the last architecture that is known here. */
  private static final int END = 13;

  private static final int MINORS = 10;

  private final int first;

  Architecture(int major, int minor) {
    this.first = major * MINORS + minor;
  }

  /** That of a device's compute capability, if it is one of these. */
  public static Optional<Architecture> of(int major, int minor) {
    int capability = major * MINORS + minor;
    return major >= END
        ? Optional.empty()
        : Arrays.stream(values())
            .filter(one -> one.first <= capability)
            .reduce((_, later) -> later);
  }

  /** Its name for people and for stores. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** That of one that may be missing. */
  public static String label(Optional<Architecture> one) {
    return one.map(Architecture::label).orElse("");
  }

  /**
   * That of a label, none where it is empty.
   *
   * @throws IllegalArgumentException if there is none; the message names all
   */
  public static Optional<Architecture> labelled(String label) {
    return label.isEmpty() ? Optional.empty() : Optional.of(of(label));
  }

  /**
   * That of a label.
   *
   * @throws IllegalArgumentException if there is none; the message names all
   */
  public static Architecture of(String label) {
    return Arrays.stream(values())
        .filter(one -> one.label().equals(label.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no architecture '%s': %s".formatted(label, labels())));
  }

  /** All names, with commas. */
  private static String labels() {
    return String.join(", ", Arrays.stream(values()).map(Architecture::label).toList());
  }
}
