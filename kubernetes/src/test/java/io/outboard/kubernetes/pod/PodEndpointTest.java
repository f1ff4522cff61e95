// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.pod;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.zjsonpatch.JsonPatch;
import io.outboard.api.http.Origin;
import io.outboard.api.http.RateLimit;
import io.outboard.api.http.Reply;
import io.outboard.api.http.Request;
import io.outboard.office.rest.Fields;
import java.net.InetAddress;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.ObjectMapper;

/** Pods as the API server asks about them. */
final class PodEndpointTest {
  private static final String UID = "0df28fbd-5f5f-11e8-bc74-36e6bb280816";
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PLAIN =
      """
      {"metadata": {"name": "p"},
       "spec": {"containers": [{"name": "c", "image": "x",
         "env": [{"name": "LD_LIBRARY_PATH", "value": "/usr/local/cuda/lib64"}]}]}}
      """;

  private final PodEndpoint endpoint =
      new PodEndpoint(
          new PodPatch(new PodSettings("outboard-client:1", false), () -> "pod-1"),
          new RateLimit(1_000, System::nanoTime),
          () -> true);

  private Reply ask(String body) {
    byte[] bytes = body.getBytes(UTF_8);
    return endpoint.handle(
        new Request(
            Origin.clear(InetAddress.getLoopbackAddress()),
            "POST",
            "/v1/pods",
            "",
            Map.of(),
            bytes,
            endpoint.mostBytes(),
            false));
  }

  private Fields response(String pod) {
    String review =
        """
        {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
         "request": {"uid": "%s", "object": %s}}
        """
            .formatted(UID, pod);
    Fields answer = Fields.read(new String(ask(review).body(), UTF_8));
    assertEquals("admission.k8s.io/v1", answer.text("apiVersion"));
    assertEquals(UID, answer.object("response").text("uid"));
    return answer.object("response");
  }

  /** A pod as the API server has it then. */
  private Fields patched(String pod) {
    Fields response = response(pod);
    assertTrue(response.flag("allowed"), response::toString);
    byte[] patch = Base64.getDecoder().decode(response.text("patch"));
    return Fields.read(JsonPatch.apply(JSON.readTree(patch), JSON.readTree(pod)).toString());
  }

  private static String annotated(String words) {
    return PLAIN.replace("\"name\": \"p\"", "\"name\": \"p\", \"annotations\": {" + words + "}");
  }

  @Test
  void anAnnotatedPodHasTheClientAndTheNameOfItsCredentials() {
    Fields pod = patched(annotated("\"outboard.io/gpus\": \"2\""));
    assertEquals("pod-1", pod.object("metadata").object("labels").text("outboard.io/lease"));
    Fields init = pod.object("spec").objects("initContainers").getFirst();
    assertEquals("outboard-client:1", init.text("image"));
    Fields container = pod.object("spec").objects("containers").getFirst();
    assertEquals("/opt/outboard", container.objects("volumeMounts").getFirst().text("mountPath"));
    List<Fields> env = container.objects("env");
    assertEquals(
        "/opt/outboard/lib:/opt/outboard/lib/opencl:/usr/local/cuda/lib64",
        env.getFirst().text("value"));
    assertEquals(
        "pod-1.outboard.io", env.get(2).object("valueFrom").object("secretKeyRef").text("name"));
    assertEquals("OUTBOARD_TOKEN", env.get(2).text("name"));
  }

  @Test
  void aLimitAsksForGpusOfThatContainerAlone() {
    String limits =
        """
        {"metadata": {"name": "p"},
         "spec": {"containers": [{"name": "a", "image": "x"},
           {"name": "b", "image": "x", "resources": {
              "limits": {"outboard.io/gpu": "2", "cpu": "1"},
              "requests": {"outboard.io/gpu": "2"}}}]}}
        """;
    Fields pod = patched(limits);
    assertEquals("2", pod.object("metadata").object("annotations").text("outboard.io/gpus"));
    List<Fields> containers = pod.object("spec").objects("containers");
    assertEquals(List.of(), containers.getFirst().objects("env"));
    assertFalse(containers.getLast().objects("env").isEmpty());
    Fields resources = containers.getLast().object("resources");
    assertEquals(List.of("cpu"), resources.object("limits").names());
    assertEquals(List.of(), resources.object("requests").names());
  }

  @Test
  void aPodThatNamesALeaseSharesIt() {
    Fields pod =
        patched(
            PLAIN.replace(
                "\"name\": \"p\"",
                "\"name\": \"p\", \"labels\": {\"outboard.io/lease\": \"ours\"}"));
    Fields container = pod.object("spec").objects("containers").getFirst();
    assertEquals(
        "ours.outboard.io",
        container.objects("env").get(1).object("valueFrom").object("secretKeyRef").text("name"));
  }

  @Test
  void anotherPodIsAsItWas() {
    assertEquals("", response(PLAIN).text("patch"));
    assertTrue(response(PLAIN).flag("allowed"));
  }

  @Test
  void aPodIsChangedOnce() {
    String pod = annotated("\"outboard.io/gpus\": \"2\"");
    byte[] patch = Base64.getDecoder().decode(response(pod).text("patch"));
    String once = JsonPatch.apply(JSON.readTree(patch), JSON.readTree(pod)).toString();
    assertEquals("", response(once).text("patch"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"outboard.io/gpus\": \"0\"|number of GPUs",
        "\"outboard.io/gpus\": \"many\"|number of GPUs",
        "\"outboard.io/gpus\": \"1\", \"outboard.io/share\": \"2\"|0.001 to 1",
        "\"outboard.io/gpus\": \"1\", \"outboard.io/memory\": \"-1Gi\"|an amount",
        "\"outboard.io/gpus\": \"1\", \"outboard.io/model\": \" \"|a word",
      })
  void whatIsNoWishIsRefusedAndSaid(String words, String said) {
    Fields response = response(annotated(words));
    assertFalse(response.flag("allowed"));
    assertTrue(response.object("status").text("message").contains(said), response::toString);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"[]", "{}", "nonsense", "{\"apiVersion\": \"admission.k8s.io/v1beta1\"}"})
  void whatIsNoQuestionHasNoAnswer(String body) {
    assertEquals(400, ask(body).status());
  }
}
