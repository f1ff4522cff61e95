// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.outboard.api.json.Json;
import io.outboard.client.find.Site;
import io.outboard.communicator.Endpoint;
import io.outboard.lease.Form;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule by which a site is chosen, and the documents that it reads. */
final class SiteOrderTest {
  private static final String MANAGER =
      """
      {"Name": "%s", "TotalNumber": %d, "OtherInfo": ["FreeNumber=%d", "FreeShare=%s"]}""";

  private static Site site(String name) {
    return new Site(
        name,
        Endpoint.parse("tcp://" + name),
        URI.create("https://" + name + ":1"),
        Optional.empty(),
        Optional.empty(),
        "a file");
  }

  private static PublishedOffer offer(String managers) {
    return offerOf(
        "{\"CloudComputingManagerAccelerator\": [%s], \"CloudComputingVirtualAccelerator\": []}"
            .formatted(managers));
  }

  private static PublishedOffer offerOf(String document) {
    return PublishedOffer.of(Json.read(document));
  }

  private static Offered offered(String name, long total, long free, String share) {
    return Offered.of(site(name), offer(MANAGER.formatted("A100", total, free, share)));
  }

  private static List<String> names(List<Offered> offered) {
    return offered.stream().map(one -> one.site().name()).toList();
  }

  private static SiteOrder order(Form wanted, Offered... all) {
    return new SiteOrder(Wanted.of(wanted), List.of(all));
  }

  @Test
  void mostRoomComesFirstThenTheOrderOfTheFile() {
    SiteOrder order =
        order(
            new Form().with("gpus", 2),
            offered("full", 8, 0, "0.5"),
            offered("small", 1, 1, "1"),
            offered("b", 4, 2, "2.9"),
            offered("a", 9, 2, "2"),
            offered("most", 4, 3, "3"),
            Offered.unread(site("dead"), "it is away"));
    assertEquals(List.of("most", "b", "a"), names(order.now()));
    assertEquals(List.of("full"), names(order.later()));
    assertEquals(List.of("small", "dead"), names(order.never()));
  }

  @Test
  void aPartOfAGpuFitsBesideOthers() {
    SiteOrder order =
        order(
            new Form().with("share", 200),
            offered("none", 4, 0, "0.1"),
            offered("shared", 4, 0, "1.2"));
    assertEquals(List.of("shared"), names(order.now()));
    assertEquals(List.of("none"), names(order.later()));
  }

  @Test
  void modelAndMemoryAreTheRequests() {
    PublishedOffer offer =
        offerOf(
            """
            {"CloudComputingManagerAccelerator": [
               {"Name": "NVIDIA H200", "TotalNumber": 2, "OtherInfo": ["FreeNumber=1"]},
               {"Name": "Tesla T4", "TotalNumber": 9, "OtherInfo": ["FreeNumber=9"]}],
             "CloudComputingVirtualAccelerator": [
               {"Model": "Tesla T4", "Memory": 16384}, {"Model": "NVIDIA H200", "Memory": 143771}]}
            """);
    assertEquals(1, offer.free(Wanted.of(new Form().with("model", "h200"))));
    assertEquals(2, offer.total(Wanted.of(new Form().with("memory", 20L << 30))));
    assertEquals(11, offer.total(Wanted.any()));
    assertEquals(0, offer.total(Wanted.of(new Form().with("model", "a100"))));
  }

  @Test
  void whoDoesNotSayWhatIsFreeHasNothingFree() {
    PublishedOffer offer = offer("{\"Name\": \"A100\", \"TotalNumber\": 4}");
    assertEquals(4, offer.total(Wanted.any()));
    assertEquals(0, offer.free(Wanted.any()));
  }

  @Test
  void nobodyHasMoreFreeThanThereIs() {
    assertEquals(4, offer(MANAGER.formatted("A100", 4, 999_999, "999999")).free(Wanted.any()));
  }

  @Test
  void whatIsShownSteersNoTerminal() {
    PublishedOffer offer = offer(MANAGER.formatted("\\u001b[2J" + "x".repeat(500), 1, 1, "1"));
    assertEquals("?[2J" + "x".repeat(92), offer.kinds().getFirst().model());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "null",
        "{}",
        "{\"CloudComputingManagerAccelerator\": 1, \"CloudComputingVirtualAccelerator\": []}",
        "{\"CloudComputingManagerAccelerator\": [7], \"CloudComputingVirtualAccelerator\": []}",
        "{\"CloudComputingManagerAccelerator\": [{\"Name\": \"x\", \"TotalNumber\": -1}],"
            + " \"CloudComputingVirtualAccelerator\": []}",
        "{\"CloudComputingManagerAccelerator\": [{\"Name\": \"x\", \"TotalNumber\": 1e10}],"
            + " \"CloudComputingVirtualAccelerator\": []}",
        "{\"CloudComputingManagerAccelerator\": [{\"Name\": 3, \"TotalNumber\": 1}],"
            + " \"CloudComputingVirtualAccelerator\": []}",
        "{\"CloudComputingManagerAccelerator\": [{\"Name\": \"x\", \"TotalNumber\": 1, \"OtherInfo\":"
            + " [\"FreeNumber=99999999999999999999\"]}], \"CloudComputingVirtualAccelerator\": []}",
      })
  void whatIsNoOfferIsSaid(String document) {
    assertThrows(IllegalArgumentException.class, () -> offerOf(document));
  }
}
