// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.monitoring;

import static java.util.stream.Collectors.toSet;

import io.outboard.api.json.Json;
import io.outboard.api.json.Ordered;
import io.outboard.lease.Form;
import io.outboard.lease.Identity;
import io.outboard.lease.LeaseMode;
import io.outboard.lease.LeaseRequest;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Rows of the ledger as accelerator records of APEL, version 0.1 (EGI, draft 4 of 24 February
 * 2021): one for each virtual machine, month and model, which says what was used in that month up
 * to now, so that a later one replaces it.
 *
 * <p>{@code Count} times {@code AvailableDuration} is the GPU time that it had: the former is the
 * average of its shares, the latter the time in which it had any. {@code ActiveDuration} is the
 * part of that in which its GPUs were busy, on the average; all where that was not measured, and
 * nothing where no program of the lease has sent or got a byte.
 */
public final class ApelRecords {
  private static final String MESSAGE = "APEL-accelerator-message";
  private static final String VERSION = "0.1";

  /** The only kind of record that others can be associated with in this version. */
  private static final String CLOUD = "cloud";

  /** The mode of leases whose programs this backend serves: it knows whether there were any. */
  private static final String REMOTE = LeaseMode.REMOTE.label();

  private static final int MOST_IN_MESSAGE = 1_000;
  private static final int COUNT_PLACES = 3;
  private static final int MILLIS = 1_000;

  private final String site;

  /**
   * Makes a writer.
   *
   * @param site of leases that do not say theirs; may be empty
   */
  public ApelRecords(String site) {
    this.site = site;
  }

  /** Names the facts that a row lacks to be exported; empty if none. */
  public List<String> missing(Form row) {
    List<String> missing = new ArrayList<>();
    if (!row.get("consumerType").equals(Identity.VM)) {
      missing.add("a consumer that is a VM");
    } else if (row.get("consumerId").isEmpty()) {
      missing.add("the VM's UUID");
    }
    if (row.get("fqan").isEmpty()) {
      missing.add("the FQAN");
    }
    if (site(row).isEmpty()) {
      missing.add("the site");
    }
    return missing;
  }

  private String site(Form row) {
    return row.get("site").isEmpty() ? site : row.get("site");
  }

  /** The key by which rows are added up to one record. */
  private record Key(
      String consumer, String user, String fqan, String site, String model, YearMonth month) {}

  /** A time in which there were so many thousandths of a device. */
  private record Span(long from, long to, long share, long busyMillis) {}

  /**
   * The messages to send.
   *
   * @param rows of the ledger, as a control connection has them
   * @param months that are wanted
   */
  public List<String> messages(List<Form> rows, List<YearMonth> months) {
    SequencedMap<Key, List<Span>> spans = new LinkedHashMap<>();
    Set<String> used = used(rows);
    for (Form row : rows) {
      if (missing(row).isEmpty()) {
        months.forEach(month -> add(spans, row, month, used));
      }
    }
    List<Object> records = new ArrayList<>();
    spans.forEach((key, of) -> records.add(record(key, of)));
    return Stream.iterate(0, i -> i < records.size(), i -> i + MOST_IN_MESSAGE)
        .map(i -> records.subList(i, Math.min(records.size(), i + MOST_IN_MESSAGE)))
        .map(ApelRecords::message)
        .toList();
  }

  private static String message(List<Object> records) {
    return Json.write(Ordered.of("Type", MESSAGE, "Version", VERSION, "UsageRecords", records));
  }

  /** The leases of which programs have made calls: their bytes are in the row of the first GPU. */
  private static Set<String> used(List<Form> rows) {
    return rows.stream()
        .filter(row -> row.number("bytesIn", 0) > 0 || row.number("bytesOut", 0) > 0)
        .map(row -> row.get("lease"))
        .collect(toSet());
  }

  private void add(Map<Key, List<Span>> spans, Form row, YearMonth month, Set<String> used) {
    long from = Math.max(row.number("from", 0), begin(month));
    long to = Math.min(row.number("to", 0), begin(month.plusMonths(1)));
    if (to > from) {
      Key key =
          new Key(
              row.get("consumerId"),
              row.get("user"),
              row.get("fqan"),
              site(row),
              row.get("model"),
              month);
      spans
          .computeIfAbsent(key, _ -> new ArrayList<>())
          .add(new Span(from, to, share(row), busy(row, to - from, used)));
    }
  }

  private static long begin(YearMonth month) {
    return month.atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
  }

  /** A session without a lease has the device with others, and so at most all of it. */
  private static long share(Form row) {
    long share = row.number("share", 0);
    return share == 0 ? LeaseRequest.WHOLE : share;
  }

  /** The busy time of a part of a row, where it is known. */
  private static long busy(Form row, long part, Set<String> used) {
    if (row.get("busy").isEmpty()) {
      boolean unused = row.get("mode").equals(REMOTE) && !used.contains(row.get("lease"));
      return unused ? 0 : part;
    }
    long whole = row.number("to", 0) - row.number("from", 0);
    return row.number("busy", 0) * part / whole;
  }

  private static Map<String, Object> record(Key key, List<Span> spans) {
    long available = union(spans);
    long used = spans.stream().mapToLong(span -> span.share() * (span.to() - span.from())).sum();
    long held = spans.stream().mapToLong(span -> span.to() - span.from()).sum();
    long busy = spans.stream().mapToLong(Span::busyMillis).sum();
    Map<String, Object> record =
        Ordered.of(
            "MeasurementMonth",
            key.month().getMonthValue(),
            "MeasurementYear",
            key.month().getYear(),
            "AssociatedRecordType",
            CLOUD,
            "AssociatedRecord",
            key.consumer());
    if (!key.user().isEmpty()) {
      record.put("GlobalUserName", key.user());
    }
    record.put("FQAN", key.fqan());
    record.put("SiteName", key.site());
    record.put("Count", count(used, available));
    record.put(
        "ActiveDuration",
        seconds(Math.min(available, Math.round((double) available * busy / held))));
    record.put("AvailableDuration", seconds(available));
    record.put("Type", "GPU");
    record.put("Model", key.model());
    return record;
  }

  private static BigDecimal count(long used, long available) {
    return BigDecimal.valueOf(used)
        .divide(BigDecimal.valueOf(available), 0, RoundingMode.HALF_UP)
        .movePointLeft(COUNT_PLACES);
  }

  private static long seconds(long millis) {
    return Math.round(millis / (double) MILLIS);
  }

  /** The time in which there was any. */
  private static long union(List<Span> spans) {
    long sum = 0;
    long end = Long.MIN_VALUE;
    for (Span span : spans.stream().sorted(Comparator.comparing(Span::from)).toList()) {
      long begin = Math.max(span.from(), end);
      if (span.to() > begin) {
        sum += span.to() - begin;
        end = span.to();
      }
    }
    return sum;
  }

  /** This month and the one before, whose last rows may have come since it was sent. */
  public static List<YearMonth> usualMonths(Instant now) {
    YearMonth month = YearMonth.from(now.atOffset(ZoneOffset.UTC));
    return List.of(month.minusMonths(1), month);
  }

  /** When a month begins. */
  public static Instant beginOf(YearMonth month) {
    return Instant.ofEpochMilli(begin(month));
  }
}
