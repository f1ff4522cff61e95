// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.outboard.patience.Patience;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The office, the adapter, RabbitMQ, Placement, Keystone and Nova are killed at each step of a
 * machine's life with real services: no GPU is left leased, none is taken from a machine that runs,
 * and nothing is charged twice. Notifications that somebody forges end nothing.
 */
@Lengthy
final class OpenstackFaultsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String OFTEN = "2s";

  @TempDir private static Path home;
  private static SmallCloud cloud;
  private static CloudPool pool;

  @BeforeAll
  static void startAll() throws Exception {
    if (SmallCloud.isHere()) {
      cloud = SmallCloud.start();
      pool = new CloudPool(home);
    }
  }

  @BeforeEach
  void wantOpenstack() {
    assumeTrue(cloud != null, SmallCloud::absent);
  }

  @AfterEach
  void endAdapter() throws Exception {
    if (pool != null) {
      pool.endAdapter();
    }
  }

  @AfterAll
  static void endAll() throws Exception {
    if (cloud == null) {
      return;
    }
    try {
      pool.assertNothingIsChargedTwice();
    } finally {
      pool.endOffice();
      SmallCloud.stop();
    }
  }

  /** Asks as the guest does: again, until it has its token. */
  private static String lease(String machine) throws Exception {
    Patience.until(
        () -> "the machine has its lease" + pool.errors(),
        () -> !cloud.vendordata(machine).path("token").asText().isEmpty());
    List<String> alive = pool.leases(machine);
    assertEquals(1, alive.size(), alive::toString);
    return alive.getFirst();
  }

  private static void awaitEnd(String machine) throws Exception {
    Patience.until(() -> "its lease ends" + pool.errors(), () -> pool.leases(machine).isEmpty());
  }

  /** Something that is killed. */
  private interface Fault {
    void kill() throws Exception;

    void again() throws Exception;

    /** Whether Nova needs it to delete a machine. */
    boolean isNovas();
  }

  /** Services of the cloud, killed all at once. */
  private record Services(List<String> names) implements Fault {
    @Override
    public void kill() throws Exception {
      for (String name : names) {
        cloud.kill(name);
      }
    }

    @Override
    public void again() throws Exception {
      for (String name : names) {
        cloud.again(name);
      }
    }

    @Override
    public boolean isNovas() {
      return true;
    }
  }

  /** Kills it at each step of a machine's life. */
  private static void assertSurvived(String name, Fault fault) throws Exception {
    pool.startAdapter(OFTEN);
    String machine = cloud.boot(name, CloudPool.FLAVOR);
    fault.kill();
    JsonNode unused = cloud.vendordata(machine);
    fault.again();
    String lease = lease(machine);
    fault.kill();
    fault.again();
    // Of a machine that runs nothing is taken, whatever is known meanwhile.
    assertEquals(lease, lease(machine), "a machine that runs keeps its GPUs");
    fault.kill();
    if (fault.isNovas()) {
      fault.again();
    }
    Patience.until("Nova deletes it", () -> cloud.deletes(machine));
    if (!fault.isNovas()) {
      fault.again();
    }
    awaitEnd(machine);
    Patience.until(
        () -> "nothing of it is left in Placement" + pool.errors(), () -> pool.isNothingStale());
  }

  @Test
  void theOfficeIsKilledAtEachStep() throws Exception {
    assertSurvived(
        "office",
        new Fault() {
          @Override
          public void kill() throws Exception {
            pool.killOffice();
          }

          @Override
          public void again() throws Exception {
            pool.startOffice();
          }

          @Override
          public boolean isNovas() {
            return false;
          }
        });
  }

  @Test
  void theAdapterIsKilledAtEachStep() throws Exception {
    assertSurvived(
        "adapter",
        new Fault() {
          @Override
          public void kill() throws Exception {
            pool.killAdapter();
          }

          @Override
          public void again() throws Exception {
            pool.startAdapter(OFTEN);
          }

          @Override
          public boolean isNovas() {
            return false;
          }
        });
  }

  @Test
  void rabbitIsKilledAtEachStep() throws Exception {
    assertSurvived("rabbit", new Services(List.of("rabbit")));
  }

  @Test
  void placementIsKilledAtEachStep() throws Exception {
    assertSurvived("placement", new Services(List.of("placement")));
  }

  @Test
  void keystoneIsKilledAtEachStep() throws Exception {
    assertSurvived("keystone", new Services(List.of("keystone")));
  }

  @Test
  void novaIsKilledAtEachStep() throws Exception {
    assertSurvived("nova", new Services(SmallCloud.NOVA));
  }

  /** The machine is Nova's own, and the adapter deletes it once its lease has lapsed. */
  @Test
  void aMachineOfALeaseEndsThoughItsCommandIsKilled() throws Exception {
    pool.startAdapter(OFTEN);
    Process command = pool.machine(cloud.plainFlavor(), cloud.image());
    Patience.until("Nova has made it", () -> cloud.machinesOfLeases().size() == 1);
    // The launcher becomes the command, so this is it.
    command.toHandle().descendants().forEach(ProcessHandle::destroyForcibly);
    command.destroyForcibly().waitFor();
    // It lapses then, and not before.
    Thread.sleep(Launcher.LAPSE);
    Patience.until(
        () -> "Nova has it no more" + pool.errors(), () -> cloud.machinesOfLeases().isEmpty());
    Patience.until(() -> "its GPUs are free" + pool.errors(), () -> pool.isFree());
  }

  /** The adapter compares by itself in an hour: what happens, notifications have caused. */
  @Test
  void aNotificationEndsALeaseAndAForgedOneDoesNot() throws Exception {
    pool.startAdapter("1h");
    Patience.until(
        "notifications are heard", () -> pool.errors().contains("notifications come from"));
    String machine = cloud.boot("heard", CloudPool.FLAVOR);
    String lease = lease(machine);
    String forged =
        """
        {"event_type": "instance.delete.end",
         "payload": {"nova_object.namespace": "nova", "nova_object.data": {"uuid": "%s"}}}
        """
            .formatted(machine);
    byte[] envelope = JSON.writeValueAsBytes(Map.of("oslo.version", "2.0", "oslo.message", forged));
    publish(envelope, "{".getBytes(UTF_8), new byte[0], envelope);
    String other = cloud.boot("other", CloudPool.FLAVOR);
    assertEquals(lease, lease(machine));
    assertTrue(cloud.deletes(machine));
    awaitEnd(machine);
    // One that is too long costs the connection, and another one is made.
    publish(new byte[2 << 20]);
    Patience.until(
        "notifications are heard again",
        () -> pool.errors().split("notifications come from", -1).length > 2);
    String another = lease(other);
    assertEquals(List.of(another), pool.leases(other));
    assertTrue(cloud.deletes(other));
    awaitEnd(other);
  }

  private static void publish(byte[]... bodies) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri("amqp://guest:guest@127.0.0.1:25673");
    try (Connection connection = factory.newConnection();
        Channel channel = connection.createChannel()) {
      for (byte[] body : bodies) {
        channel.basicPublish("nova", "versioned_notifications.info", null, body);
      }
    }
  }
}
