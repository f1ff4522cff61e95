// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.manifest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.outboard.kubernetes.manifest.Manifests.FailurePolicy;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The objects of a cluster, as a client of Kubernetes reads them. */
final class ManifestsTest {
  private static Manifests manifests(String namespace, Optional<URI> outside) {
    return new Manifests(
        namespace,
        "PEM",
        FailurePolicy.Fail,
        outside,
        new Manifests.Inside("outboard:1", "outboard-client:1", "https://broker:14902"));
  }

  private static List<HasMetadata> read(Manifests manifests) {
    String text = manifests.text();
    assertFalse(text.contains("{{"), text);
    return new KubernetesSerialization().unmarshal(text);
  }

  private static List<String> kinds(Manifests manifests) {
    return read(manifests).stream().map(HasMetadata::getKind).toList();
  }

  @Test
  void theClusterRunsTheService() {
    assertEquals(
        List.of(
            "CustomResourceDefinition",
            "Namespace",
            "ServiceAccount",
            "ClusterRole",
            "ClusterRoleBinding",
            "ClusterRole",
            "Deployment",
            "Service",
            "NetworkPolicy",
            "MutatingWebhookConfiguration"),
        kinds(manifests("outboard", Optional.empty())));
  }

  @Test
  void theServiceIsElsewhere() {
    URI url = URI.create("https://127.0.0.1:1/v1/pods");
    List<HasMetadata> all = read(manifests("outboard", Optional.of(url)));
    MutatingWebhookConfiguration webhook = (MutatingWebhookConfiguration) all.getLast();
    assertEquals(url.toString(), webhook.getWebhooks().getFirst().getClientConfig().getUrl());
    assertEquals("Fail", webhook.getWebhooks().getFirst().getFailurePolicy());
    assertEquals(7, all.size());
  }

  @Test
  void noValueIsMoreThanAValue() {
    Manifests forged = manifests("x\n---\nkind: Secret", Optional.empty());
    assertThrows(IllegalArgumentException.class, forged::text);
  }
}
