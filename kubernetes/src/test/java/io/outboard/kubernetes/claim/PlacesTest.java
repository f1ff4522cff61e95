// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResultBuilder;
import io.outboard.kubernetes.resource.GpuLeaseSpec;
import io.outboard.office.Device;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The pool as devices of slices, and claims of them as leases. */
final class PlacesTest {
  private static final Device H200 = gpu("NVIDIA H200", "hopper", 141);

  private static Device gpu(String model, String arch, long gibibytes) {
    return new Device(model, arch, (gibibytes << 30) + 1000, true, true, false);
  }

  private static List<String> names(List<Device> gpus, Set<String> taken) {
    return Places.of(gpus, taken).stream().map(place -> place.getName()).toList();
  }

  @Test
  void aDeviceIsAPlaceOfAModel() {
    List<Device> gpus =
        List.of(
            H200,
            H200,
            gpu("Tesla (old) #1", "", 16),
            new Device("NVIDIA H200", "hopper", 141L << 30, false, true, false),
            new Device("NVIDIA H200", "hopper", 141L << 30, true, false, false));
    assertEquals(
        List.of("nvidia-h200-141g-0", "nvidia-h200-141g-1", "tesla-old-1-16g-0"),
        names(gpus, Set.of()));
    var place = Places.of(gpus, Set.of()).getFirst();
    assertEquals("NVIDIA H200", place.getAttributes().get("model").getString());
    assertEquals("hopper", place.getAttributes().get("arch").getString());
    assertEquals(new Quantity("141Gi"), place.getCapacity().get("memory").getValue());
    assertEquals(
        new Quantity("141Gi"), place.getCapacity().get("memory").getRequestPolicy().getDefault());
    assertTrue(place.getAllowMultipleAllocations());
    assertEquals(List.of("outboard.io/leased"), place.getBindingConditions());
    assertTrue(Places.of(gpus, Set.of()).getLast().getAttributes().get("arch") == null);
  }

  /** A claim's place is the last that goes, whichever GPU it was that failed. */
  @Test
  void placesThatAreTakenStay() {
    assertEquals(List.of("nvidia-h200-141g-1"), names(List.of(H200), Set.of("nvidia-h200-141g-1")));
    assertEquals(
        List.of("nvidia-h200-141g-0", "nvidia-h200-141g-2"),
        names(List.of(H200, H200), Set.of("nvidia-h200-141g-2", "another-16g-0")));
    assertEquals(40, names(Collections.nCopies(40, H200), Set.of("nvidia-h200-141g-39")).size());
  }

  private static DeviceRequestAllocationResult result(String device, String memory) {
    return new DeviceRequestAllocationResultBuilder()
        .withDriver(Driver.NAME)
        .withPool("outboard")
        .withRequest("gpu")
        .withDevice(device)
        .withConsumedCapacity(memory == null ? null : Map.of("memory", new Quantity(memory)))
        .build();
  }

  private static GpuLeaseSpec spec(DeviceRequestAllocationResult... results) {
    List<Device> gpus = List.of(H200, H200, gpu("Tesla", "", 16));
    return ClaimedGpus.spec(
        List.of(results),
        Places.of(gpus, Set.of()).stream()
            .collect(Collectors.toMap(place -> place.getName(), Function.identity())));
  }

  @Test
  void aClaimIsALeaseOfAsManyGpus() {
    assertEquals(
        new GpuLeaseSpec(2, "NVIDIA H200", null, null),
        spec(result("nvidia-h200-141g-0", "141Gi"), result("nvidia-h200-141g-1", null)));
    assertEquals(
        new GpuLeaseSpec(1, "NVIDIA H200", "40Gi", new BigDecimal("0.283")),
        spec(result("nvidia-h200-141g-0", "40Gi")));
    assertEquals(
        new GpuLeaseSpec(1, "Tesla", "8Gi", new BigDecimal("0.5")),
        spec(result("tesla-16g-0", "8Gi")));
  }

  @Test
  void gpusOfSeveralKindsAreNoLease() {
    for (DeviceRequestAllocationResult other :
        List.of(
            result("tesla-16g-0", null),
            result("nvidia-h200-141g-1", "40Gi"),
            result("gone-16g-0", null))) {
      DeviceRequestAllocationResult first = result("nvidia-h200-141g-0", null);
      assertThrows(IllegalArgumentException.class, () -> spec(first, other));
    }
  }
}
