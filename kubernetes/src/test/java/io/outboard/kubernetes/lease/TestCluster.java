// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.lease;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.fabric8.mockwebserver.http.Response;
import io.fabric8.mockwebserver.http.WebSocket;
import io.fabric8.mockwebserver.http.WebSocketListener;
import io.outboard.kubernetes.resource.GpuLease;
import io.outboard.kubernetes.resource.GpuLeaseSpec;
import io.outboard.kubernetes.resource.GpuLeaseStatus.Phase;
import io.outboard.kubernetes.resource.Words;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A mock of a cluster's API server, with the namespace {@code physics}: it knows which rights the
 * adapter and others have used, and fails when it is told to.
 */
public final class TestCluster implements AutoCloseable {
  private static final String NAMESPACE = "physics";
  private static final String USER = "user";
  private static final String ADAPTER = "adapter";
  private static final String DRIVER = "driver";

  // Kept, so that its level is.
  private static final Logger REQUESTS = Logger.getLogger("io.fabric8.mockwebserver");

  static {
    REQUESTS.setLevel(Level.WARNING);
  }

  private final Map<String, Set<Right>> used = new ConcurrentHashMap<>();
  private final Map<Right, Failure> failures = new ConcurrentHashMap<>();
  private final KubernetesMockServer server =
      new KubernetesMockServer(
          new Context(), new MockWebServer(), new HashMap<>(), new Api(), false);
  private final KubernetesClient user;
  private final KubernetesClient adapter;
  private final KubernetesClient driver;

  /** Starts it. */
  public TestCluster() {
    server.init(InetAddress.getLoopbackAddress(), 0);
    user = client(USER);
    adapter = client(ADAPTER);
    driver = client(DRIVER);
    var unused =
        user.resource(
                new NamespaceBuilder()
                    .withNewMetadata()
                    .withName("kube-system")
                    .endMetadata()
                    .build())
            .create();
  }

  /** One that asks once, so that a failure is seen. */
  private KubernetesClient client(String name) {
    return server.createClient(
        builder ->
            builder
                .editOrNewConfig()
                .withUserAgent(name)
                .withRequestRetryBackoffLimit(0)
                .endConfig());
  }

  /**
   * A way to fail.
   *
   * @param status of HTTP, or of the event where the request is a watch
   * @param left how often yet
   */
  private record Failure(int status, int left) {
    MockResponse answer(boolean isWatch) {
      String text =
          """
          {"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": "of the test",
           "reason": "Test", "code": %d}"""
              .formatted(status);
      return isWatch
          ? new MockResponse().withWebSocketUpgrade(new LastEvent(text))
          : new MockResponse().setResponseCode(status).setBody(text);
    }
  }

  /** A watch that has come to its end (Kubernetes, "Efficient detection of changes"). */
  private static final class LastEvent extends WebSocketListener {
    private final String text;

    LastEvent(String text) {
      this.text = text;
    }

    @Override
    public void onOpen(WebSocket socket, Response response) {
      boolean unused = socket.send("{\"type\": \"ERROR\", \"object\": " + text + "}");
    }
  }

  private final class Api extends KubernetesCrudDispatcher {
    @Override
    public MockResponse dispatch(RecordedRequest request) {
      Optional<Right> right = Right.of(request.getMethod(), request.getPath());
      String agent = request.getHeader("User-Agent");
      if (USER.equals(agent) || right.isEmpty()) {
        return super.dispatch(request);
      }
      used.computeIfAbsent(agent, _ -> ConcurrentHashMap.newKeySet()).add(right.get());
      Failure failure = failures.get(right.get());
      if (failure == null) {
        return super.dispatch(request);
      }
      failures.compute(
          right.get(),
          (_, one) -> one.left() > 1 ? new Failure(one.status(), one.left() - 1) : null);
      return failure.answer(right.get().verb().equals("watch"));
    }
  }

  /** Has the adapter's next requests of a kind fail. */
  void fail(Right right, int status, int times) {
    failures.put(right, new Failure(status, times));
  }

  /** Whether it has failed as often as it was told to. */
  boolean hasFailed() {
    return failures.isEmpty();
  }

  /** The rights that the adapter has used. */
  public Set<Right> used() {
    return Set.copyOf(used.get(ADAPTER));
  }

  /** The rights that the driver of a node has used. */
  public Set<Right> usedByDriver() {
    return Set.copyOf(used.get(DRIVER));
  }

  /** As the adapter asks. */
  public KubernetesClient adapter() {
    return adapter;
  }

  /** As the driver of a node does. */
  public KubernetesClient driver() {
    return driver;
  }

  /** As somebody else does. */
  public KubernetesClient user() {
    return user;
  }

  void make(String name, int gpus) {
    make(name, new GpuLeaseSpec(gpus, "h200", null, null));
  }

  void make(String name, GpuLeaseSpec spec) {
    GpuLease lease = new GpuLease();
    lease.setMetadata(new ObjectMetaBuilder().withName(name).withNamespace(NAMESPACE).build());
    lease.setSpec(spec);
    var unused = user.resource(lease).create();
  }

  /** Null where there is none. */
  GpuLease read(String name) {
    return user.resources(GpuLease.class).inNamespace(NAMESPACE).withName(name).get();
  }

  boolean isGranted(String name) {
    return Optional.ofNullable(read(name))
        .filter(lease -> lease.told().phase() == Phase.Granted)
        .isPresent();
  }

  void delete(String name) {
    var unused = user.resource(read(name)).delete();
  }

  /** The reasons of the events about an object. */
  List<String> events(String about) {
    return user.v1().events().inNamespace(NAMESPACE).list().getItems().stream()
        .filter(event -> event.getInvolvedObject().getName().equals(about))
        .map(Event::getReason)
        .toList();
  }

  /** A pod with words of its wish, whose lease is {@code pod-1} and which a node has to let go. */
  Pod makePod(String name, Map<String, String> wish) {
    Pod pod =
        new PodBuilder()
            .withNewMetadata()
            .withName(name)
            .withNamespace(NAMESPACE)
            .withLabels(Map.of(Words.LEASE, "pod-1"))
            .withAnnotations(wish)
            .withFinalizers("test/node")
            .endMetadata()
            .withNewStatus()
            .withPhase("Running")
            .endStatus()
            .build();
    return user.resource(pod).create();
  }

  @Override
  public void close() {
    driver.close();
    adapter.close();
    user.close();
    server.destroy();
  }
}
