// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.resource;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The GPUs that the annotations of a pod ask for. */
public record PodWish(GpuLeaseSpec spec) {
  // As the schema of the resource has them (crd.yaml).
  private static final int MOST_GPUS = 1024;
  private static final int MOST_MODEL = 200;
  private static final Pattern MEMORY = Pattern.compile("[0-9]{1,12}(Ki|Mi|Gi|Ti|k|M|G|T)?");
  private static final BigDecimal LEAST_SHARE = new BigDecimal("0.001");

  /**
   * Reads it; empty where they ask for none.
   *
   * @param annotations null for none
   * @throws IllegalArgumentException if they ask for what is none
   */
  public static Optional<PodWish> of(Map<String, String> annotations) {
    String gpus = annotations == null ? null : annotations.get(Words.GPUS);
    return gpus == null
        ? Optional.empty()
        : Optional.of(new PodWish(spec(count(gpus), annotations)));
  }

  /** How many a text says. */
  public static int count(String text) {
    try {
      int count = Integer.parseInt(text.strip());
      if (count > 0 && count <= MOST_GPUS) {
        return count;
      }
    } catch (NumberFormatException e) {
      throw wrong(text, e);
    }
    throw wrong(text, null);
  }

  private static IllegalArgumentException wrong(String text, Throwable cause) {
    return new IllegalArgumentException(
        "%s is a number of GPUs, 1 to 1024, and not '%s'".formatted(Words.GPUS, text), cause);
  }

  private static GpuLeaseSpec spec(int gpus, Map<String, String> annotations) {
    return new GpuLeaseSpec(
        gpus,
        model(annotations.get(Words.MODEL)),
        memory(annotations.get(Words.MEMORY)),
        Optional.ofNullable(annotations.get(Words.SHARE)).map(PodWish::share).orElse(null));
  }

  private static String model(String text) {
    if (text != null && (text.isBlank() || text.length() > MOST_MODEL)) {
      throw new IllegalArgumentException(Words.MODEL + " is a word of the GPUs' name");
    }
    return text;
  }

  private static String memory(String text) {
    if (text != null && !MEMORY.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "%s is an amount, as 20Gi, and not '%s'".formatted(Words.MEMORY, text));
    }
    return text;
  }

  private static BigDecimal share(String text) {
    try {
      BigDecimal share = new BigDecimal(text.strip());
      if (share.compareTo(LEAST_SHARE) >= 0 && share.compareTo(BigDecimal.ONE) <= 0) {
        return share;
      }
    } catch (NumberFormatException e) {
      throw wrongShare(text, e);
    }
    throw wrongShare(text, null);
  }

  private static IllegalArgumentException wrongShare(String text, Throwable cause) {
    return new IllegalArgumentException(
        "%s is a number, 0.001 to 1, and not '%s'".formatted(Words.SHARE, text), cause);
  }
}
