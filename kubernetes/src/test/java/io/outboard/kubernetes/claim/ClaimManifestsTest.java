// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The objects of a cluster for claims, as a client of Kubernetes reads them. */
final class ClaimManifestsTest {
  private static List<HasMetadata> read(String text) {
    assertFalse(text.contains("{{"), text);
    return new KubernetesSerialization().unmarshal(text);
  }

  @Test
  void theClusterHasClassRightsAndDrivers() {
    List<HasMetadata> all = read(new ClaimManifests("outboard", "outboard:1").text());
    assertEquals(
        List.of(
            "DeviceClass",
            "ClusterRole",
            "ClusterRoleBinding",
            "Role",
            "RoleBinding",
            "ServiceAccount",
            "ClusterRole",
            "ClusterRoleBinding",
            "Role",
            "RoleBinding",
            "DaemonSet"),
        all.stream().map(HasMetadata::getKind).toList());
    DeviceClass kind = (DeviceClass) all.getFirst();
    assertEquals("outboard.io/gpu", kind.getSpec().getExtendedResourceName());
    assertEquals(Driver.NAME, kind.getMetadata().getName());
  }

  @Test
  void usersHaveExamples() {
    assertEquals(
        List.of("ResourceClaim", "ResourceClaim", "Pod"),
        read(new ClaimManifests("outboard", "outboard:1").examples()).stream()
            .map(HasMetadata::getKind)
            .toList());
  }

  @Test
  void noValueIsMoreThanAValue() {
    ClaimManifests forged = new ClaimManifests("x\n---\nkind: Secret", "outboard:1");
    assertThrows(IllegalArgumentException.class, forged::text);
  }
}
