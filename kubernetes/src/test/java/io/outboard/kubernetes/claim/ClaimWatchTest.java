// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatus;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResultBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.outboard.kubernetes.lease.ClusterWatch;
import io.outboard.kubernetes.lease.Right;
import io.outboard.kubernetes.lease.TestCluster;
import io.outboard.kubernetes.lease.TestWatch;
import io.outboard.kubernetes.manifest.Manifests;
import io.outboard.kubernetes.plugin.ClaimSource;
import io.outboard.kubernetes.resource.GpuLease;
import io.outboard.kubernetes.resource.GpuLeaseSpec;
import io.outboard.lease.account.Role;
import io.outboard.office.Lease;
import io.outboard.office.testkit.TestOffice;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Claims and the pool, against a mock of an API server and a real lease office with two GPUs. The
 * test is the scheduler.
 */
final class ClaimWatchTest {
  private static final String NAMESPACE = "outboard";
  private static final String PLACE = "nvidia-h200-141g-0";

  @TempDir private Path folder;
  private final TestCluster mock = new TestCluster();
  private final KubernetesClient cluster = mock.user();
  private TestOffice office;
  private ClusterWatch leases;
  private ClaimWatch claims;

  @BeforeEach
  void begin() throws IOException {
    office = new TestOffice(folder, 2);
    leases = TestWatch.of(mock.adapter(), office.client());
    claims =
        new ClaimWatch(
            mock.adapter(), office.client(), NAMESPACE, leases.bell(), InstantSource.system());
  }

  @AfterEach
  void end() {
    claims.close();
    leases.close();
    mock.close();
    office.close();
  }

  /** Looks until something is so. */
  private void lookUntil(Patience.Condition<Exception> condition) throws Exception {
    Patience.until(
        "the cluster is as it was",
        () -> {
          claims.look();
          leases.look();
          return condition.holds();
        });
  }

  private void claim(String name) {
    var unused =
        cluster
            .resource(
                new ResourceClaimBuilder()
                    .withNewMetadata()
                    .withName(name)
                    .withNamespace("physics")
                    .endMetadata()
                    .withNewSpec()
                    .endSpec()
                    .build())
            .create();
  }

  private ResourceClaim read(String name) {
    return cluster.resources(ResourceClaim.class).inNamespace("physics").withName(name).require();
  }

  private static DeviceRequestAllocationResult result(String device, String memory) {
    return new DeviceRequestAllocationResultBuilder()
        .withDriver(Driver.NAME)
        .withPool("outboard")
        .withRequest("gpu")
        .withDevice(device)
        .withShareID("share-" + memory)
        .withConsumedCapacity(Map.of("memory", new Quantity(memory)))
        .build();
  }

  /** As the scheduler does. */
  private void allocate(String name, DeviceRequestAllocationResult... results) {
    ResourceClaim claim = read(name);
    ResourceClaim allocated =
        new ResourceClaimBuilder(claim)
            .editOrNewStatus()
            .withNewAllocation()
            .withNewDevices()
            .withResults(results)
            .endDevices()
            .endAllocation()
            .endStatus()
            .build();
    ResourceClaim unused = cluster.resource(allocated).updateStatus();
  }

  private void deallocate(String name) {
    ResourceClaim unused =
        cluster
            .resource(new ResourceClaimBuilder(read(name)).withNewStatus().endStatus().build())
            .updateStatus();
  }

  /** The conditions of a claim's first device. */
  private Map<String, String> conditions(String name) {
    if (read(name).getStatus() == null) {
      return Map.of();
    }
    return read(name).getStatus().getDevices().stream()
        .limit(1)
        .flatMap(device -> device.getConditions().stream())
        .collect(
            Collectors.toMap(Condition::getType, Condition::getStatus, (a, b) -> b, TreeMap::new));
  }

  private boolean isLeased(String name) {
    return "True".equals(conditions(name).get(Driver.LEASED));
  }

  private boolean isRefused(String name) {
    return "True".equals(conditions(name).get(Driver.REFUSED));
  }

  private List<Lease> known() throws IOException {
    return office.client().leases();
  }

  private List<ResourceSlice> slices() {
    return cluster.resources(ResourceSlice.class).list().getItems();
  }

  private void cordon() throws IOException {
    var unused =
        TestOffice.rest()
            .ask(
                "POST",
                office.uri().resolve("/v1/devices/1/cordon"),
                Map.of("Authorization", "Bearer " + office.token(Role.OPERATOR, "")),
                Map.of("reason", "a fan"));
  }

  @Test
  void thePoolIsPublishedAndFollowed() throws Exception {
    lookUntil(() -> slices().size() == 1);
    ResourceSlice slice = slices().getFirst();
    assertTrue(slice.getSpec().getAllNodes());
    assertEquals("gpu.outboard.io", slice.getSpec().getDriver());
    assertEquals(
        List.of("nvidia-h200-141g-0", "nvidia-h200-141g-1"),
        slice.getSpec().getDevices().stream().map(Device::getName).toList());
    long generation = slice.getSpec().getPool().getGeneration();
    cordon();
    lookUntil(() -> slices().getFirst().getSpec().getDevices().size() == 1);
    assertEquals(generation + 1, slices().getFirst().getSpec().getPool().getGeneration());
    claims.look();
    assertEquals(generation + 1, slices().getFirst().getSpec().getPool().getGeneration());
  }

  @Test
  void aClaimIsALeaseUntilTheSchedulerTakesItBack() throws Exception {
    claim("some");
    lookUntil(() -> slices().size() == 1);
    assertEquals(List.of(), known(), "nobody has allocated it");
    allocate("some", result(PLACE, "40Gi"));
    lookUntil(() -> isLeased("some"));
    Lease lease = known().getFirst();
    assertEquals("physics", lease.tenant());
    assertEquals(40L << 30, lease.memory());
    AllocatedDeviceStatus told = read("some").getStatus().getDevices().getFirst();
    assertEquals(
        List.of("gpu.outboard.io", "outboard", PLACE, "share-40Gi"),
        List.of(told.getDriver(), told.getPool(), told.getDevice(), told.getShareID()));
    deallocate("some");
    lookUntil(() -> known().isEmpty());
    Patience.until(
        "its resource is there",
        () -> cluster.resources(GpuLease.class).inAnyNamespace().list().getItems().isEmpty());
  }

  @Test
  void aClaimWaitsForTheOfficeAndHasItsTurn() throws Exception {
    for (String name : List.of("one", "two", "three")) {
      claim(name);
    }
    lookUntil(() -> slices().size() == 1);
    allocate("one", result(PLACE, "141Gi"), result("nvidia-h200-141g-1", "141Gi"));
    lookUntil(() -> isLeased("one"));
    allocate("two", result(PLACE, "141Gi"));
    lookUntil(() -> conditions("two").containsKey(Driver.LEASED));
    assertEquals(Map.of(Driver.LEASED, "False", Driver.REFUSED, "False"), conditions("two"));
    var unused = cluster.resource(read("one")).delete();
    lookUntil(() -> isLeased("two"));
  }

  @Test
  void whatIsNoLeaseIsRefused() throws Exception {
    claim("mixed");
    lookUntil(() -> slices().size() == 1);
    allocate("mixed", result(PLACE, "40Gi"), result("nvidia-h200-141g-1", "20Gi"));
    lookUntil(() -> isRefused("mixed"));
    assertEquals(List.of(), known());
  }

  /** Anybody may make a GpuLease of any name; a claim's is the one that it owns. */
  @Test
  void somebodysOwnLeaseOfThatNameIsNoClaims() throws Exception {
    claim("some");
    GpuLease other = new GpuLease();
    other.setMetadata(
        new ObjectMetaBuilder()
            .withName(Driver.name(read("some").getMetadata().getUid()))
            .withNamespace("physics")
            .build());
    other.setSpec(new GpuLeaseSpec(1, "h200", null, null));
    var unused = cluster.resource(other).create();
    lookUntil(() -> slices().size() == 1);
    allocate("some", result(PLACE, "141Gi"));
    lookUntil(() -> isRefused("some"));
  }

  /** The mock keeps texts as they were sent; a real API server encodes them. */
  private void encode(Secret secret) {
    Map<String, String> data = new HashMap<>();
    secret
        .getStringData()
        .forEach(
            (name, text) ->
                data.put(
                    name,
                    Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))));
    secret.setData(data);
    Secret unused = cluster.resource(secret).update();
  }

  @Test
  void aNodesDriverFindsWhatItIsToldOf() throws Exception {
    claim("some");
    lookUntil(() -> slices().size() == 1);
    String uid = read("some").getMetadata().getUid();
    ClaimSource source = new ClusterClaims(mock.driver(), NAMESPACE);
    assertThrows(IOException.class, () -> source.find("physics", "some", uid), "not allocated");
    allocate("some", result(PLACE, "40Gi"));
    assertThrows(IOException.class, () -> source.find("physics", "some", uid), "not leased");
    lookUntil(() -> isLeased("some"));
    encode(cluster.secrets().inNamespace(NAMESPACE).withName(Driver.name(uid)).require());
    ClaimSource.Prepared prepared = source.find("physics", "some", uid);
    assertEquals(
        List.of(new ClaimSource.Place("gpu", "outboard", PLACE, "share-40Gi")), prepared.places());
    assertEquals("tcp://gpu-node:14900", prepared.variables().get("OUTBOARD"));
    assertEquals(
        office.client().find(known().getFirst().id()).token(),
        prepared.variables().get("OUTBOARD_TOKEN"));
    assertThrows(IOException.class, () -> source.find("physics", "some", "another"));
    assertThrows(IOException.class, () -> source.find("physics", "none", uid));
    var unused = cluster.resource(read("some")).delete();
    lookUntil(() -> cluster.secrets().inNamespace(NAMESPACE).list().getItems().isEmpty());
    assertEquals(Right.granted(manifests(), "outboard-driver"), mock.usedByDriver());
  }

  private static String manifests() {
    return new ClaimManifests(NAMESPACE, "outboard:1").text();
  }

  private static String ofPods() {
    return new Manifests(
            NAMESPACE,
            "PEM",
            Manifests.FailurePolicy.Fail,
            Optional.empty(),
            new Manifests.Inside("outboard:1", "outboard-client:1", "https://broker:14902"))
        .text();
  }

  private static ResourceSlice sliceOfALargerPool() {
    return new ResourceSliceBuilder()
        .withNewMetadata()
        .withName("outboard-1")
        .endMetadata()
        .withNewSpec()
        .withDriver(Driver.NAME)
        .withNewPool(1L, "outboard", 2L)
        .endSpec()
        .build();
  }

  /** As a service does that ended before it knew of it. */
  private void writeSecretOf(String name) {
    Secret unused =
        cluster
            .resource(
                new SecretBuilder()
                    .withNewMetadata()
                    .withName(Driver.name(read(name).getMetadata().getUid()))
                    .withNamespace(NAMESPACE)
                    .endMetadata()
                    .build())
            .create();
  }

  /** All that the service does for claims, once. */
  @Test
  void eachRightIsUsedAndNoOther() throws Exception {
    ResourceSlice before = cluster.resource(sliceOfALargerPool()).create();
    claim("some");
    writeSecretOf("some");
    String old = before.getMetadata().getName();
    lookUntil(() -> slices().stream().noneMatch(one -> one.getMetadata().getName().equals(old)));
    cordon();
    lookUntil(() -> slices().getFirst().getSpec().getDevices().size() == 1);
    allocate("some", result(PLACE, "141Gi"));
    lookUntil(() -> isLeased("some"));
    var unused = cluster.resource(read("some")).delete();
    lookUntil(() -> known().isEmpty());
    lookUntil(() -> cluster.secrets().inNamespace(NAMESPACE).list().getItems().isEmpty());

    Set<Right> granted = new HashSet<>(Right.granted(manifests(), "outboard-claims"));
    // The API server asks for it where the state of a claim's devices changes.
    assertTrue(
        granted.remove(
            new Right("resource.k8s.io", "resourceclaims/driver", "arbitrary-node:update")));
    Set<Right> notUsed = new HashSet<>(granted);
    notUsed.removeAll(mock.used());
    assertEquals(Set.of(), notUsed);
    Set<Right> notGranted = new HashSet<>(mock.used());
    notGranted.removeAll(granted);
    notGranted.removeAll(Right.granted(ofPods(), "outboard"));
    assertEquals(Set.of(), notGranted);
  }
}
