// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.monitoring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.outboard.lease.Form;
import java.io.IOException;
import java.time.Instant;
import java.time.YearMonth;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ApelRecordsTest {
  private static final YearMonth NOVEMBER = YearMonth.of(2026, 11);
  private final ApelRecords apel = new ApelRecords("");

  private static Form row(String consumer, String from, String to, int share) {
    return new Form()
        .with("consumerType", "vm")
        .with("consumerId", consumer)
        .with("user", "/DC=org/CN=Ada")
        .with("fqan", "/vo/Role=user")
        .with("site", "IFCA-LCG2")
        .with("model", "NVIDIA H200")
        .with("share", share)
        .with("from", Instant.parse(from).toEpochMilli())
        .with("to", Instant.parse(to).toEpochMilli());
  }

  private JsonNode records(List<Form> rows) throws IOException {
    return new ObjectMapper()
        .readTree(apel.messages(rows, List.of(NOVEMBER)).getFirst())
        .get("UsageRecords");
  }

  @Test
  void aMessageHasTheFieldsOfTheRecord() throws IOException {
    String message =
        apel.messages(
                List.of(row("vm1", "2026-11-21T12:00:00Z", "2026-11-21T13:00:00Z", 500)),
                List.of(NOVEMBER))
            .getFirst();
    String expected =
        """
        {"Type": "APEL-accelerator-message", "Version": "0.1", "UsageRecords": [{\
        "MeasurementMonth": 11, "MeasurementYear": 2026, "AssociatedRecordType": "cloud", \
        "AssociatedRecord": "vm1", "GlobalUserName": "/DC=org/CN=Ada", "FQAN": "/vo/Role=user", \
        "SiteName": "IFCA-LCG2", "Count": 0.500, "ActiveDuration": 3600, \
        "AvailableDuration": 3600, "Type": "GPU", "Model": "NVIDIA H200"}]}\
        """;
    assertEquals(expected, message);
  }

  @Test
  void rowsOfAMachineAreOneRecord() throws IOException {
    JsonNode records =
        records(
            List.of(
                row("vm1", "2026-11-21T12:00:00Z", "2026-11-21T13:00:00Z", 1000),
                row("vm1", "2026-11-21T12:00:00Z", "2026-11-21T13:00:00Z", 1000),
                row("vm1", "2026-11-22T12:00:00Z", "2026-11-22T13:00:00Z", 1000),
                row("vm2", "2026-11-22T12:00:00Z", "2026-11-22T12:30:00Z", 250)));
    assertEquals(2, records.size());
    assertEquals(7200, records.get(0).get("AvailableDuration").asInt());
    assertEquals(1.5, records.get(0).get("Count").asDouble());
    assertEquals(1800, records.get(1).get("AvailableDuration").asInt());
    assertEquals(0.25, records.get(1).get("Count").asDouble());
  }

  @Test
  void aRowIsCutAtTheMonthsEnd() throws IOException {
    Form over = row("vm1", "2026-10-31T23:30:00Z", "2026-11-01T00:10:00Z", 1000);
    JsonNode record = records(List.of(over.with("busy", 2_400_000))).get(0);
    assertEquals(600, record.get("AvailableDuration").asInt());
    assertEquals(600, record.get("ActiveDuration").asInt());
    JsonNode half = records(List.of(over.with("busy", 1_200_000))).get(0);
    assertEquals(300, half.get("ActiveDuration").asInt());
    assertEquals(List.of(), apel.messages(List.of(over), List.of(YearMonth.of(2026, 12))));
  }

  @Test
  void severalGpusAreActiveOnTheAverage() throws IOException {
    Form one = row("vm1", "2026-11-21T12:00:00Z", "2026-11-21T13:00:00Z", 1000);
    Form two = Form.parse(one.toString());
    JsonNode record =
        records(List.of(one.with("busy", 3_600_000), two.with("busy", 1_800_000))).get(0);
    assertEquals(2.0, record.get("Count").asDouble());
    assertEquals(2700, record.get("ActiveDuration").asInt());
    assertEquals(3600, record.get("AvailableDuration").asInt());
  }

  /** The bytes of a lease are in the row of its first GPU. */
  @Test
  void aLeaseThatNoProgramUsesIsNotActive() throws IOException {
    Form first = row("vm1", "2026-11-21T12:00:00Z", "2026-11-21T13:00:00Z", 1000);
    first.with("mode", "remote").with("lease", "1").with("bytesIn", 0).with("bytesOut", 0);
    Form second = Form.parse(first.toString());
    JsonNode unused = records(List.of(first, second)).get(0);
    assertEquals(0, unused.get("ActiveDuration").asInt());
    assertEquals(3600, unused.get("AvailableDuration").asInt());
    JsonNode used = records(List.of(first.with("bytesIn", 1), second)).get(0);
    assertEquals(3600, used.get("ActiveDuration").asInt());
    Form machines = first.with("mode", "device").with("bytesIn", 0);
    assertEquals(3600, records(List.of(machines)).get(0).get("ActiveDuration").asInt());
  }

  @Test
  void whatLacksSomethingIsNotExported() {
    Form whole = row("vm1", "2026-11-21T12:00:00Z", "2026-11-21T13:00:00Z", 500);
    assertEquals(List.of(), apel.missing(whole));
    Form process = Form.parse(whole.toString()).with("consumerType", "process");
    Form without = Form.parse(whole.toString()).with("consumerId", "").with("fqan", "");
    Form nowhere = Form.parse(whole.toString()).with("site", "");
    assertEquals(List.of("a consumer that is a VM"), apel.missing(process));
    assertEquals(List.of("the VM's UUID", "the FQAN"), apel.missing(without));
    assertEquals(List.of("the site"), apel.missing(nowhere));
    assertEquals(List.of(), new ApelRecords("HERE").missing(nowhere));
    assertEquals(List.of(), apel.messages(List.of(process, without, nowhere), List.of(NOVEMBER)));
  }

  @Test
  void manyRecordsAreSeveralMessages() {
    List<Form> rows =
        IntStream.range(0, 1_001)
            .mapToObj(i -> row("vm" + i, "2026-11-21T12:00:00Z", "2026-11-21T13:00:00Z", 10))
            .toList();
    assertEquals(2, apel.messages(rows, List.of(NOVEMBER)).size());
  }

  @Test
  void theMonthBeforeIsSentAgain() {
    assertEquals(
        List.of(YearMonth.of(2026, 12), YearMonth.of(2027, 1)),
        ApelRecords.usualMonths(Instant.parse("2027-01-01T00:00:00Z")));
  }
}
