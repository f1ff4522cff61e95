// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.site;

import io.outboard.lease.LeaseRequest;
import io.outboard.wire.Printable;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The offer of a site, as its document says it in the words of GLUE 2.1. The document comes from
 * another machine: whatever it says, it costs no more than its bounded bytes, and no number of it
 * counts for more than a large site has.
 */
public record PublishedOffer(List<Kind> kinds) {
  private static final int MOST_KINDS = 256;
  private static final int MOST_NAME = 96;
  private static final long MOST_GPUS = 1_000_000;
  private static final int MIB_BITS = 20;
  private static final String FREE = "FreeNumber=";
  private static final String SHARE = "FreeShare=";

  /**
   * GPUs of one model.
   *
   * @param total how many there are
   * @param free how many of them nobody has
   * @param freeShare thousandths that are left of all of them
   * @param memory bytes of each; 0 where it is not said
   */
  public record Kind(String model, long total, long free, long freeShare, long memory) {
    private boolean fits(Wanted wanted) {
      String part = wanted.model().toLowerCase(Locale.ROOT);
      return model.toLowerCase(Locale.ROOT).contains(part)
          && (memory == 0 || wanted.memory() <= memory);
    }
  }

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if it is none
   */
  static PublishedOffer of(Object document) {
    Map<?, ?> root = object(document, "the document");
    List<?> managers = list(root, "CloudComputingManagerAccelerator");
    List<?> accelerators = list(root, "CloudComputingVirtualAccelerator");
    List<Kind> kinds = new ArrayList<>();
    for (Object manager : managers) {
      kinds.add(kind(object(manager, "a manager"), accelerators));
    }
    return new PublishedOffer(List.copyOf(kinds));
  }

  private static Kind kind(Map<?, ?> manager, List<?> accelerators) {
    String model = text(manager, "Name");
    long total = number(manager, "TotalNumber");
    long free = Math.min(total, thousandths(manager, FREE) / LeaseRequest.WHOLE);
    long share = Math.min(total * LeaseRequest.WHOLE, thousandths(manager, SHARE));
    return new Kind(shown(model), total, free, share, memory(model, accelerators));
  }

  private static long memory(String model, List<?> accelerators) {
    for (Object one : accelerators) {
      Map<?, ?> accelerator = object(one, "an accelerator");
      if (model.equals(accelerator.get("Model")) && accelerator.containsKey("Memory")) {
        return number(accelerator, "Memory") << MIB_BITS;
      }
    }
    return 0;
  }

  private static String shown(String model) {
    return Printable.of(model.substring(0, Math.min(model.length(), MOST_NAME)));
  }

  /** An offer that does not say what is free has nothing free. */
  private static long thousandths(Map<?, ?> manager, String name) {
    if (!(manager.get("OtherInfo") instanceof List<?> infos)) {
      return 0;
    }
    return infos.stream()
        .filter(String.class::isInstance)
        .map(String.class::cast)
        .filter(info -> info.startsWith(name))
        .findFirst()
        .map(info -> decimal(info.substring(name.length())))
        .orElse(0L);
  }

  private static long decimal(String text) {
    if (!text.matches("\\d{1,9}(\\.\\d{1,3})?")) {
      throw new IllegalArgumentException("what is free is no number");
    }
    return new BigDecimal(text)
        .multiply(BigDecimal.valueOf(LeaseRequest.WHOLE))
        .setScale(0, RoundingMode.DOWN)
        .longValueExact();
  }

  private static Map<?, ?> object(Object value, String what) {
    if (value instanceof Map<?, ?> object) {
      return object;
    }
    throw new IllegalArgumentException(what + " is no object");
  }

  private static List<?> list(Map<?, ?> object, String name) {
    if (object.get(name) instanceof List<?> list && list.size() <= MOST_KINDS) {
      return list;
    }
    throw new IllegalArgumentException(name + " is no list of at most " + MOST_KINDS);
  }

  private static String text(Map<?, ?> object, String name) {
    if (object.get(name) instanceof String text) {
      return text;
    }
    throw new IllegalArgumentException(name + " is no text");
  }

  private static long number(Map<?, ?> object, String name) {
    if (object.get(name) instanceof Long number && number >= 0 && number <= MOST_GPUS * 1_000) {
      return number;
    }
    throw new IllegalArgumentException(name + " is no number that can be");
  }

  /** How many there are that fit. */
  public long total(Wanted wanted) {
    return kinds.stream().filter(kind -> kind.fits(wanted)).mapToLong(Kind::total).sum();
  }

  /** How many of them nobody has. */
  public long free(Wanted wanted) {
    return kinds.stream().filter(kind -> kind.fits(wanted)).mapToLong(Kind::free).sum();
  }

  /** Thousandths of GPUs that are left for it: of whole ones where it wants these. */
  long room(Wanted wanted) {
    return wanted.isWhole()
        ? free(wanted) * LeaseRequest.WHOLE
        : kinds.stream().filter(kind -> kind.fits(wanted)).mapToLong(Kind::freeShare).sum();
  }

  /** Whether it could be granted some day. */
  boolean has(Wanted wanted) {
    return total(wanted) >= wanted.gpus();
  }

  /** Whether it could be granted now. */
  boolean hasRoom(Wanted wanted) {
    return has(wanted) && room(wanted) >= wanted.gpus() * wanted.share();
  }
}
