// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.command;

import io.outboard.lease.Parameter;
import io.outboard.lease.Permitted;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How people write sizes, times and shares. */
public final class Quantities {
  private static final Pattern SIZE =
      Pattern.compile("(?<count>[0-9]{1,12})(?<unit>B|[KMGT]iB|[KMGT])");
  private static final Pattern TIME = Pattern.compile("(?<count>[0-9]{1,9})(?<unit>[smhd])");
  private static final String UNITS = "KMGT";
  private static final int UNIT_BITS = 10;
  private static final int THOUSAND = 1_000;

  private Quantities() {}

  /**
   * Bytes: {@code 20GiB}, {@code 512M}, {@code 4096B}; units are powers of 1024. A unit is wanted:
   * {@code 20} would be another size than people mean.
   */
  public static final class Size implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      Matcher size = SIZE.matcher(text);
      if (!size.matches()) {
        throw new TypeConversionException(
            "'" + text + "' is no size with its unit, as 20GiB or 512MiB");
      }
      long unit = 1L << ((UNITS.indexOf(size.group("unit").charAt(0)) + 1) * UNIT_BITS);
      long count = Long.parseLong(size.group("count"));
      Permitted.Whole bytes = (Permitted.Whole) Parameter.MEMORY.permitted();
      if (count > bytes.most() / unit) {
        throw new TypeConversionException("'" + text + "' is more than " + size(bytes.most()));
      }
      return count * unit;
    }
  }

  /** A time of at most ten years: {@code 90s}, {@code 30m}, {@code 8h}, {@code 2d}. */
  public static final class Time implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      return permitted(Parameter.SECONDS, text);
    }
  }

  /** The time of a whole GPU that a tenant may have, as {@link Time} but for its range. */
  public static final class Budget implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      return permitted(Parameter.BUDGET, text);
    }
  }

  /** A day, a month, or a moment of ISO 8601; the first two begin by this machine's time. */
  public static final class Moment implements ITypeConverter<Instant> {
    private static final Pattern DAY = Pattern.compile("\\d{4}-\\d{2}(-\\d{2})?");

    @Override
    public Instant convert(String text) {
      try {
        Matcher day = DAY.matcher(text);
        if (!day.matches()) {
          return OffsetDateTime.parse(text).toInstant();
        }
        LocalDate begin = LocalDate.parse(day.group(1) == null ? text + "-01" : text);
        return begin.atStartOfDay(ZoneId.systemDefault()).toInstant();
      } catch (DateTimeParseException e) {
        throw new TypeConversionException(
            "'" + text + "' is no day, month or moment, as 2026-11-01 or 2026-11-01T12:00:00Z");
      }
    }
  }

  private static Duration permitted(Parameter quantity, String text) {
    Duration time = time(text);
    Permitted.Whole seconds = (Permitted.Whole) quantity.permitted();
    if (!seconds.has(time.toSeconds())) {
      throw new TypeConversionException(
          "'%s' is longer than %dd".formatted(text, Duration.ofSeconds(seconds.most()).toDays()));
    }
    return time;
  }

  private static Duration time(String text) {
    Matcher time = TIME.matcher(text);
    long count = time.matches() ? Long.parseLong(time.group("count")) : 0;
    if (count == 0) {
      throw new TypeConversionException("'" + text + "' is no time, as 90s, 30m, 8h or 2d");
    }
    return switch (time.group("unit")) {
      case "s" -> Duration.ofSeconds(count);
      case "m" -> Duration.ofMinutes(count);
      case "h" -> Duration.ofHours(count);
      default -> Duration.ofDays(count);
    };
  }

  /** A time, or {@code 0} for none. */
  public static final class TimeOrNone implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      return "0".equals(text) ? Duration.ZERO : new Time().convert(text);
    }
  }

  /** A share of a device, more than 0 and at most 1 or 100%, in thousandths. */
  public static final class Share implements ITypeConverter<Integer> {
    private static final String PERCENT = "%";

    @Override
    public Integer convert(String text) {
      try {
        int share = thousandths(text).intValueExact();
        if (share > 0 && share <= THOUSAND) {
          return share;
        }
      } catch (ArithmeticException | NumberFormatException e) {
        // Said below.
      }
      throw new TypeConversionException(
          "'" + text + "' is no share: more than 0 and at most 1, to three places, or 20%");
    }

    private static BigDecimal thousandths(String text) {
      return text.endsWith(PERCENT)
          ? new BigDecimal(text.substring(0, text.length() - 1)).movePointRight(1)
          : new BigDecimal(text).movePointRight(3);
    }
  }

  /** Bytes for people, to a tenth of the largest unit that they fill. */
  public static String size(long bytes) {
    int power = 0;
    while (power < UNITS.length() && bytes >= 1L << ((power + 1) * UNIT_BITS)) {
      power++;
    }
    BigDecimal count =
        BigDecimal.valueOf(bytes)
            .divide(BigDecimal.valueOf(1L << (power * UNIT_BITS)), 1, RoundingMode.HALF_UP);
    String unit = power == 0 ? " B" : " " + UNITS.charAt(power - 1) + "iB";
    return count.stripTrailingZeros().toPlainString() + unit;
  }

  /** A share for people. */
  public static String share(long thousandths) {
    return decimal(thousandths).toPlainString();
  }

  /** A share as a number. */
  public static BigDecimal decimal(long thousandths) {
    return BigDecimal.valueOf(thousandths, 3).stripTrailingZeros();
  }
}
