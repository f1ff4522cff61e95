// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.doctor;

import io.outboard.api.monitoring.ApelRecords;
import io.outboard.client.ControlConnection;
import io.outboard.client.find.Found;
import io.outboard.lease.Form;
import io.outboard.wire.Control;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Whether what was used can be accounted for elsewhere. */
public final class LedgerCheck {
  private static final Duration LATELY = Duration.ofDays(31);
  private static final int MOST_NAMED = 5;

  private LedgerCheck() {}

  /** Says which leases of the last month cannot be exported to APEL, where some can. */
  public static List<Finding> of(Found backend, Map<String, String> environment) {
    long since = Instant.now().minus(LATELY).toEpochMilli();
    try (ControlConnection connection = new ControlConnection(backend.endpoint(), environment)) {
      List<Control> answer = connection.ask("usage?" + new Form().with("since", since));
      boolean done = answer.removeLast().kind() == Control.Kind.DONE;
      return done ? of(answer.stream().map(Control::text).map(Form::parse).toList()) : List.of();
    } catch (IOException e) {
      // A backend that this user does not control, or one without leases.
      return List.of();
    }
  }

  static List<Finding> of(List<Form> rows) {
    ApelRecords apel = new ApelRecords("");
    Map<Boolean, List<Form>> leases =
        rows.stream().collect(Collectors.partitioningBy(row -> apel.missing(row).isEmpty()));
    boolean wanted = rows.stream().anyMatch(LedgerCheck::isIdentified);
    if (!wanted || leases.get(false).isEmpty()) {
      return List.of();
    }
    String named =
        leases.get(false).stream()
            .map(row -> row.get("lease") + " lacks " + String.join(", ", apel.missing(row)))
            .distinct()
            .limit(MOST_NAMED)
            .collect(Collectors.joining("; "));
    return List.of(
        Finding.doubtful(
            "%d leases of the last month have no record of APEL, only CSV and JSON: %s"
                .formatted(
                    leases.get(false).stream().map(row -> row.get("lease")).distinct().count(),
                    named)));
  }

  /** Where nobody says who uses leases, nobody wants records of APEL. */
  private static boolean isIdentified(Form row) {
    return !row.get("fqan").isEmpty() || !row.get("site").isEmpty();
  }
}
