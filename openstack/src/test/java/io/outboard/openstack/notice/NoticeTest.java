// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.notice;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.outboard.api.json.Json;
import io.outboard.api.json.Ordered;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Notifications as Nova 26.2 sent them over RabbitMQ 3.10, without their users' tokens. */
final class NoticeTest {
  private static final String MACHINE = "01234567-89ab-cdef-0123-456789abcdef";

  private static List<String> recorded() throws IOException {
    return Files.readAllLines(Path.of("src/test/resources/notices.jsonl"));
  }

  private static Optional<Notice> read(String text) {
    return Notice.read(text.getBytes(UTF_8));
  }

  @Test
  void stepsThatAreOverAreHeard() throws IOException {
    List<String> events =
        recorded().stream()
            .map(NoticeTest::read)
            .flatMap(Optional::stream)
            .map(Notice::event)
            .toList();
    assertEquals(List.of("instance.pause.end", "instance.delete.end"), events);
  }

  private static String message(String event, String space, String machine) {
    Map<String, Object> payload =
        Ordered.of("nova_object.namespace", space, "nova_object.data", Map.of("uuid", machine));
    String message = Json.write(Ordered.of("event_type", event, "payload", payload));
    return Json.write(Ordered.of("oslo.version", "2.0", "oslo.message", message));
  }

  @Test
  void whatIsNoNotificationOfAMachineIsNone() {
    assertEquals(
        Optional.of(new Notice("instance.delete.end", MACHINE)),
        read(message("instance.delete.end", "nova", MACHINE)));
    for (String other :
        List.of(
            "",
            "[]",
            "{",
            "{}",
            "[".repeat(100_000),
            "{\"oslo.message\": \"{\"}",
            "{\"oslo.message\": {\"event_type\": \"instance.delete.end\"}}",
            message("instance.delete.end", "cinder", MACHINE),
            message("instance.delete.end", "nova", "../servers"),
            message("instance.delete.end", "nova", MACHINE + "\n"),
            message("volume.delete.end", "nova", MACHINE),
            message("instance.delete.start", "nova", MACHINE))) {
      assertEquals(Optional.empty(), read(other), other);
    }
  }

  /** A message of anybody's never does more than say nothing, or something of a machine. */
  @Test
  void damagedMessagesDoNoHarm() throws IOException {
    Random chance = new Random(7);
    for (String line : recorded()) {
      for (int i = 0; i < 200; i++) {
        byte[] bytes = line.getBytes(UTF_8);
        bytes[chance.nextInt(bytes.length)] = (byte) chance.nextInt();
        Notice.read(bytes).ifPresent(notice -> assertEquals(36, notice.machine().length()));
      }
    }
  }

  @Test
  void aPasswordGoesOverNoNetworkInClear() {
    for (String wrong :
        List.of(
            "amqp://outboard@rabbit.example:5672/",
            "amqps://outboard:secret@rabbit.example/",
            "amqps://rabbit.example/",
            "http://outboard@127.0.0.1/",
            "amqps:rabbit")) {
      URI uri = URI.create(wrong);
      assertThrows(IllegalArgumentException.class, () -> new MessageBroker(uri), wrong);
    }
    assertEquals(
        "/",
        new MessageBroker(URI.create("amqp://outboard@127.0.0.1:5672/"))
            .connections("p", null)
            .getVirtualHost());
    assertEquals(
        "nova",
        new MessageBroker(URI.create("amqp://outboard@127.0.0.1/nova"))
            .connections("p", null)
            .getVirtualHost());
  }
}
