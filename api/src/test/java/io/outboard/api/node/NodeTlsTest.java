// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.api.ApiAddress;
import io.outboard.api.ApiServer;
import io.outboard.api.http.Door;
import io.outboard.api.http.Request;
import io.outboard.api.json.Json;
import io.outboard.api.monitoring.Node;
import io.outboard.communicator.certificate.Issuer;
import io.outboard.communicator.certificate.TlsCaller;
import io.outboard.communicator.certificate.TlsIdentity;
import io.outboard.communicator.certificate.TlsServer;
import io.outboard.lease.Gpu;
import io.outboard.lease.LeaseState;
import io.outboard.lease.node.NodeOrders;
import io.outboard.lease.node.NodeReport;
import io.outboard.lease.sqlite.SqliteLocation;
import io.outboard.patience.Patience;
import io.outboard.pool.Pool;
import io.outboard.pool.broker.SteadyClock;
import java.io.IOException;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes and a broker over https; the broker's clock is this test's, that of TLS is not. */
final class NodeTlsTest {
  private static final NodeReport REPORT =
      new NodeReport(
          0, 0, 0, List.of("tcp://n1"), List.of(new Gpu(0, "GPU-0", "model", 1 << 20)), List.of());

  /** Some days less than a certificate is good for. */
  private static final Duration LONG = Duration.ofDays(25);

  private final TlsIdentity site =
      Issuer.authority("site", Instant.now().minusSeconds(60), Instant.now().plusSeconds(86_400));
  private volatile Duration ahead = Duration.ZERO;
  @TempDir private Path folder;
  private Pool pool;
  private ApiServer server;

  @BeforeEach
  void serve() throws IOException {
    SteadyClock clock = new SteadyClock(this::now, () -> System.nanoTime() + ahead.toNanos());
    pool = new Pool(SqliteLocation.in(folder.resolve("store")), true, clock);
    pool.open(List.of());
    TlsIdentity own =
        new Issuer(site)
            .server(
                List.of("127.0.0.1"),
                Instant.now().minusSeconds(60),
                Instant.now().plusSeconds(86_400));
    server =
        ApiServer.at(ApiAddress.parse("https://127.0.0.1:0"))
            .rate(100_000)
            .tls(new TlsServer(own, List.of()).welcoming(List.of(pool.members().authority())))
            .start(pool, new Node("n", "1", List.of(), Instant.EPOCH), folder.resolve("audit"));
  }

  private Instant now() {
    return Instant.now().plus(ahead);
  }

  @AfterEach
  void end() {
    server.close();
    pool.close();
  }

  private BrokerClient client(Optional<NodeIdentity> identity) throws IOException {
    return new BrokerClient(
        List.of(server.uri()),
        "n1",
        new TlsCaller(List.of(site.certificate()), identity.map(one -> one)));
  }

  private TlsIdentity join(String invitation) throws IOException {
    KeyPair keys = Issuer.keys();
    return new TlsIdentity(
        client(Optional.empty()).join(invitation, keys.getPublic()), keys.getPrivate());
  }

  private NodeIdentity identity(TlsIdentity first, List<TlsIdentity> kept) {
    return new NodeIdentity(first, kept::add, this::now);
  }

  private BrokerClient node(TlsIdentity identity) throws IOException {
    return client(Optional.of(identity(identity, new ArrayList<>())));
  }

  private boolean isRefused(BrokerClient node) {
    IOException refused = assertThrows(IOException.class, () -> node.report("", REPORT));
    return refused instanceof BrokerClient.RefusedException;
  }

  @Test
  void aNodeThatHasJoinedProvesItsKey() throws Exception {
    BrokerClient node = node(join(pool.members().invite("n1")));
    node.report("", REPORT);
    assertEquals(List.of(), node.orders("", 0, 0).orders());
    assertEquals("GPU-0", pool.nodes().all().getFirst().gpus().getFirst().uuid());
    assertTrue(isRefused(client(Optional.empty())), "nobody has proven anything");
  }

  /** The second one is refused, and the operator sees that the first was not his node. */
  @Test
  void aStolenTokenIsGoodForOne() throws Exception {
    String invitation = pool.members().invite("n1");
    BrokerClient thief = node(join(invitation));
    assertThrows(BrokerClient.RefusedException.class, () -> join(invitation));
    pool.members().remove("n1");
    assertTrue(isRefused(thief));
    BrokerClient node = node(join(pool.members().invite("n1")));
    node.report("", REPORT);
    assertTrue(isRefused(thief), "its certificate is of another key");
  }

  @Test
  void aRemovedNodeIsRefusedAtOnceOverTheConnectionThatItHas() throws Exception {
    BrokerClient node = node(join(pool.members().invite("n1")));
    node.report("", REPORT);
    pool.members().remove("n1");
    assertTrue(isRefused(node));
    assertThrows(BrokerClient.RefusedException.class, () -> node.orders("", 0, 0));
    assertThrows(BrokerClient.RefusedException.class, node::renew);
  }

  @Test
  void aSecretProvesNothingOverANetwork() throws Exception {
    String secret = pool.members().join("n1", pool.members().invite("n1"));
    BrokerClient stranger = client(Optional.empty());
    assertThrows(BrokerClient.RefusedException.class, () -> stranger.report(secret, REPORT));
    String invitation = pool.members().invite("n2");
    assertThrows(IOException.class, () -> stranger.join(invitation));
  }

  /** Another authority may have vouched for the name and the key too. */
  @Test
  void onlyTheAuthorityOfThePoolVouchesForNodes() throws Exception {
    TlsIdentity own = join(pool.members().invite("n1"));
    List<X509Certificate> other =
        new Issuer(site)
            .client(
                "n1",
                own.certificate().getPublicKey(),
                Instant.now().minusSeconds(60),
                Instant.now().plusSeconds(60));
    assertFalse(pool.members().check("n1", other.getFirst()));
    assertTrue(pool.members().check("n1", own.certificate()));
    assertFalse(pool.members().check("n2", own.certificate()));
    BrokerClient node = node(new TlsIdentity(other, own.key()));
    assertThrows(IOException.class, () -> node.report("", REPORT));
  }

  @Test
  void aCertificateThatIsOverIsRefusedOverAConnectionThatItHas() throws Exception {
    BrokerClient node = node(join(pool.members().invite("n1")));
    node.report("", REPORT);
    ahead = Duration.ofDays(31);
    assertTrue(isRefused(node));
  }

  @Test
  void aCertificateRenewsItselfBeforeItEnds() throws Exception {
    ahead = LONG.negated();
    String invitation = pool.members().invite("n1");
    TlsIdentity first = join(invitation);
    List<TlsIdentity> kept = new ArrayList<>();
    NodeIdentity identity = identity(first, kept);
    assertFalse(identity.isDue());
    ahead = Duration.ZERO;
    assertTrue(identity.isDue());
    BrokerClient broker = client(Optional.of(identity));
    try (NodeAgent _ = new NodeAgent(broker, identity, pool, List.of())) {
      Patience.until("the certificate is renewed", () -> !identity.isDue());
    }
    TlsIdentity next = kept.getFirst();
    assertEquals(next, identity.get());
    Instant end = first.certificate().getNotAfter().toInstant();
    assertTrue(next.certificate().getNotAfter().toInstant().isAfter(end.plus(LONG.dividedBy(2))));
    node(next).report("", REPORT);
    ahead = Duration.ofDays(6);
    assertTrue(isRefused(node(first)), "its time is over");
  }

  /** The report of a stranger has a bound; a node may have many leases. */
  @Test
  void aNodeReportsManyLeases() throws Exception {
    List<NodeReport.Held> held = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      held.add(
          new NodeReport.Held(
              "lease" + i, 1, LeaseState.ACTIVE, "", Optional.empty(), 1, 0, List.of()));
    }
    NodeReport large = new NodeReport(0, 0, 0, REPORT.endpoints(), REPORT.gpus(), held);
    assertTrue(Json.write(NodeJson.of(large)).length() > 2 * Request.MOST_BYTES);
    node(join(pool.members().invite("n1"))).report("", large);
    IOException refused =
        assertThrows(IOException.class, () -> client(Optional.empty()).report("", large));
    assertTrue(refused.getMessage().contains("413"), refused::getMessage);
  }

  /** More than strangers of one address may; each hears at once that it is removed. */
  @Test
  void manyNodesOfOneAddressWaitForOrdersAtATime() throws Exception {
    int many = Door.MOST_OF_ADDRESS / 2 + 10;
    TlsIdentity own = join(pool.members().invite("n1"));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> waiting = new ArrayList<>();
      CountDownLatch asks = new CountDownLatch(many);
      for (int i = 0; i < many; i++) {
        String name = "m" + i;
        KeyPair keys = Issuer.keys();
        TlsIdentity its =
            new TlsIdentity(
                pool.members()
                    .join(name, pool.members().invite(name), keys.getPublic().getEncoded()),
                keys.getPrivate());
        waiting.add(threads.submit(() -> awaitOrders(name, its, asks)));
      }
      Patience.until(
          "all wait", () -> asks.getCount() == 0 || waiting.stream().anyMatch(Future::isDone));
      node(own).report("", REPORT);
      for (int i = 0; i < many; i++) {
        pool.members().remove("m" + i);
      }
      for (Future<?> one : waiting) {
        ExecutionException refused = assertThrows(ExecutionException.class, one::get);
        assertEquals(BrokerClient.RefusedException.class, refused.getCause().getClass());
      }
    }
  }

  private Void awaitOrders(String name, TlsIdentity its, CountDownLatch asks) throws IOException {
    TlsCaller tls = new TlsCaller(List.of(site.certificate()), Optional.of(() -> its));
    BrokerClient node = new BrokerClient(List.of(server.uri()), name, tls);
    NodeOrders orders = new NodeOrders(0, 0, List.of());
    while (true) {
      try {
        orders = node.orders("", orders.term(), orders.version());
        asks.countDown();
      } catch (IOException e) {
        // A busy machine is late, and asked again, as a node does it.
        if (e instanceof BrokerClient.RefusedException
            || String.valueOf(e.getMessage()).contains("503")) {
          throw e;
        }
      }
    }
  }

  @Test
  void aKeyThatIsNoneIsRefusedAndTheInvitationStays() throws Exception {
    String invitation = pool.members().invite("n1");
    assertThrows(
        io.outboard.lease.LeaseException.class,
        () -> pool.members().join("n1", invitation, new byte[] {1, 2, 3}));
    node(join(invitation)).report("", REPORT);
  }
}
