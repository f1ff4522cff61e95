// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.manifest;

import static java.util.function.UnaryOperator.identity;
import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.outboard.kubernetes.manifest.Manifests.FailurePolicy;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The chart, as Helm itself reads it: its own code, as a library for the JVM. */
final class ChartTest {
  private static final Path CHART = Path.of("../adapters/kubernetes/chart");

  @BeforeAll
  static void wantHelm() {
    assumeTrue(System.getProperty("os.arch").equals("amd64"), "Helm is not here on this processor");
  }

  private static TemplateCommand template() {
    return new Helm(CHART)
        .template()
        .withName("outboard")
        .withNamespace("gpus")
        .set("webhook.ca", "PEM");
  }

  private static Map<String, HasMetadata> read(String text) {
    List<HasMetadata> objects = new KubernetesSerialization().unmarshal(text);
    return objects.stream()
        .collect(toMap(one -> one.getKind() + " " + one.getMetadata().getName(), identity()));
  }

  @ParameterizedTest
  @CsvSource({"'', Ignore", "https://127.0.0.1:14903/v1/pods, Fail"})
  void helmMakesWhatTheManifestsAre(String url, FailurePolicy policy) {
    Map<String, HasMetadata> ours =
        read(
            new Manifests(
                    "gpus",
                    "PEM",
                    policy,
                    Optional.of(url).filter(text -> !text.isEmpty()).map(URI::create),
                    new Manifests.Inside(
                        "registry:5000/outboard:1", "outboard-client:1", "https://broker:14902"))
                .text());
    // Helm makes the namespace by itself, and the definition before it reads any template.
    assertTrue(ours.remove("Namespace gpus") != null);
    assertEquals(
        ours.remove("CustomResourceDefinition gpuleases.outboard.io"),
        new KubernetesSerialization()
            .unmarshal(new Helm(CHART).show().crds().call(), CustomResourceDefinition.class));
    assertEquals(
        ours,
        read(
            template()
                .set("image", "registry:5000/outboard:1")
                .set("clientImage", "outboard-client:1")
                .set("api", "https://broker:14902")
                .set("webhook.url", url)
                .set("webhook.failurePolicy", policy)
                .call()));
  }

  @Test
  void helmFindsNothingToSay() {
    assertFalse(new Helm(CHART).lint().strict().call().isFailed());
  }

  @Test
  void theCommandWritesEachFileOfIt(@TempDir Path home) throws Exception {
    Chart.write(home.resolve("chart"));
    assertEquals(files(CHART), files(home.resolve("chart")));
    assertThrows(FileAlreadyExistsException.class, () -> Chart.write(home.resolve("chart")));
  }

  private static Map<String, String> files(Path folder) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        texts.put(folder.relativize(file).toString(), Files.readString(file));
      }
    }
    return texts;
  }

  @ParameterizedTest
  @CsvSource({
    "image, 'x\n---\nkind: Secret'",
    "api, https://broker",
    "webhook.failurePolicy, Maybe",
    "webhook.ca, ''",
    "unknown, 1",
  })
  void noValueIsMoreThanAValue(String name, String value) {
    TemplateCommand forged = template().set(name, value);
    IllegalStateException refused = assertThrows(IllegalStateException.class, forged::call);
    String last = name.substring(name.lastIndexOf('.') + 1);
    assertTrue(refused.getMessage().contains(last), refused::getMessage);
  }
}
