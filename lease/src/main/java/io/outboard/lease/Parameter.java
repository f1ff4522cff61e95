// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

import io.outboard.wire.Slot;
import io.outboard.wire.Welcome;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * All that requests may say, each with its name in a {@link Form} and its permitted values. Only
 * here ranges are written: control connections, the HTTP interface, commands, options of {@code
 * serve} and what the store holds are checked by them. The sums and products that the pool makes of
 * permitted values fit into their types.
 */
public enum Parameter {
  /** The lease, or the token, that a request is about. */
  ID("id", Permitted.Text.LINE),
  /** A tenant of {@link #TENANT}'s form, as whose record it is. */
  NAME("name", Values.TENANT),
  /** On whose account. */
  TENANT("tenant", Values.TENANT),
  /** A node of a pool; its name is part of URLs. */
  NODE("node", Values.NODE),
  CONSUMER("consumer", Permitted.Text.LINE),
  /** How many devices. */
  GPUS("gpus", new Permitted.Whole(1, 1_024)),
  MODEL("model", Permitted.Text.LINE),
  ARCH("arch", choice(Architecture.values(), Architecture::label)),
  /** Bytes of each device; 0 for the share of it. */
  MEMORY("memory", new Permitted.Whole(0, 1L << 50)),
  /** Thousandths of each device. */
  SHARE("share", new Permitted.Whole(1, LeaseRequest.WHOLE)),
  PRIORITY("priority", new Permitted.Whole(-1_000, 1_000)),
  /** How long something lasts. */
  SECONDS("seconds", new Permitted.Whole(1, Values.TEN_YEARS)),
  /** How firmly a lease has its devices. */
  CLASS("class", choice(ServiceClass.values(), ServiceClass::label)),
  /** From when on a lease is wanted, in milliseconds since 1970; 0 for as soon as possible. */
  BEGIN("begin", new Permitted.Whole(0, Values.LAST)),
  /** Seconds in which a guaranteed lease is to be granted; 0 for no target. */
  WITHIN("within", new Permitted.Whole(0, Values.TEN_YEARS)),
  PLACEMENT("placement", choice(Placement.values(), Placement::label)),
  /** On how many nodes a lease's devices may be: a program has as many hosts, at most. */
  MOST_NODES("mostNodes", new Permitted.Whole(1, Slot.MOST)),
  MODE("mode", choice(LeaseMode.values(), LeaseMode::label)),
  PROFILE("profile", Permitted.Text.LINE),
  /** Seconds; 0 for no limit of its own. */
  IDLE_SUSPEND("idleSuspend", new Permitted.Whole(0, Values.TEN_YEARS)),
  /** Seconds; 0 for no limit of its own. */
  IDLE_REVOKE("idleRevoke", new Permitted.Whole(0, Values.TEN_YEARS)),
  /** Seconds. */
  GRACE("grace", new Permitted.Whole(0, Welcome.MOST_GRACE)),
  /** Seconds for which a request stays that nobody asks about; 0 for always. */
  KEEP("keep", new Permitted.Whole(0, Values.TEN_YEARS)),
  CONSUMER_TYPE("consumerType", new Permitted.Choice(Identity.VM, Identity.JOB, Identity.PROCESS)),
  CONSUMER_ID("consumerId", Permitted.Text.LINE),
  USER("user", Permitted.Text.LINE),
  FQAN("fqan", Permitted.Text.LINE),
  SITE("site", Permitted.Text.LINE),
  /** Whether what is over is wanted too. */
  ALL("all", new Permitted.Choice("yes")),
  /** Where a page of leases begins: what the page before has named. */
  CURSOR("cursor", Permitted.Text.LINE),
  REASON("reason", Permitted.Text.LINE),
  /** Until when something is suspended; without it, until it is resumed. */
  UNTIL("until", new Permitted.Choice("call")),
  /** Milliseconds since 1970: moments of four digits for the year, which every format has. */
  SINCE("since", new Permitted.Whole(-62_135_596_800_000L, Values.LAST)),
  /** The number of a row. */
  AFTER("after", new Permitted.Whole(0, Long.MAX_VALUE)),
  /** How many rows. */
  LIMIT("limit", new Permitted.Whole(1, Integer.MAX_VALUE)),
  /** A device's number or UUID. */
  GPU("gpu", Permitted.Text.LINE),
  ROLE("role", new Permitted.Choice("reader", "user", "operator")),
  NOTE("note", Permitted.Text.LINE),
  /** Seconds of a whole GPU; -1 for no limit. */
  BUDGET("budget", new Permitted.Whole(-1, Values.TEN_YEARS * 1_000));

  /** Values that several of them have, and patterns. */
  private static final class Values {
    private static final Permitted.Text NODE =
        new Permitted.Text(
            64,
            Optional.of(Pattern.compile("[A-Za-z0-9][A-Za-z0-9.-]*")),
            "letters, digits, dots and dashes, at first a letter or a digit");

    private static final long TEN_YEARS = 315_360_000;

    /** The last millisecond of the year 9999. */
    private static final long LAST = 253_402_300_799_999L;

    /** Names of users are among them. */
    private static final Permitted.Text TENANT =
        new Permitted.Text(
            64,
            Optional.of(Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._@$+\\\\-]*")),
            "letters, digits and ._@$+-\\, at first a letter, a digit or _");
  }

  private final String label;

  @SuppressWarnings("ImmutableEnumChecker") // Lists that are copies, and patterns.
  private final Permitted permitted;

  Parameter(String label, Permitted permitted) {
    this.label = label;
    this.permitted = permitted;
  }

  private static <T> Permitted choice(T[] values, Function<T, String> label) {
    return new Permitted.Choice(Arrays.stream(values).map(label).toList());
  }

  /** Its name in a form. */
  public String label() {
    return label;
  }

  /** Its values. */
  public Permitted permitted() {
    return permitted;
  }

  /**
   * Checks all values of a form; an empty one is as if it were not there.
   *
   * @param known what the form may have
   * @throws IllegalArgumentException if it has something else, or a value that is not permitted
   */
  public static void check(Form form, List<Parameter> known) {
    for (var value : form.values().entrySet()) {
      Parameter parameter =
          known.stream()
              .filter(one -> one.label.equals(value.getKey()))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "there is no '" + value.getKey() + "' in this request"));
      if (!value.getValue().isEmpty()) {
        parameter.permitted.check(parameter.label, value.getValue());
      }
    }
  }

  /**
   * A number of a form.
   *
   * @param otherwise where it is missing
   * @throws IllegalArgumentException if it is not permitted
   */
  public long of(Form form, long otherwise) {
    String text = form.get(label);
    if (text.isEmpty()) {
      return otherwise;
    }
    permitted.check(label, text);
    return Long.parseLong(text);
  }

  /** As {@link #of}, of one whose range is an int's. */
  public int count(Form form, int otherwise) {
    return Math.toIntExact(of(form, otherwise));
  }

  /** A time of a form that has it in seconds. */
  public Optional<Duration> seconds(Form form) {
    return form.get(label).isEmpty()
        ? Optional.empty()
        : Optional.of(Duration.ofSeconds(of(form, 0)));
  }

  /**
   * Checks a number.
   *
   * @throws IllegalArgumentException if it is not permitted
   */
  public void check(long number) {
    ((Permitted.Whole) permitted).check(label, number);
  }

  /**
   * Checks a time that forms have in seconds; a part of a second counts as one.
   *
   * @throws IllegalArgumentException if it is not permitted
   */
  public void check(Duration time) {
    long seconds = time.toSeconds();
    check(time.compareTo(Duration.ofSeconds(seconds)) > 0 ? seconds + 1 : seconds);
  }
}
