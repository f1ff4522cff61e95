// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import io.outboard.api.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The driver of claims, as a kubelet finds and calls it over Unix sockets. */
final class ClaimDriverTest {
  private static final String NAME = "gpu.outboard.io";

  @TempDir private Path folder;
  private Path cdi;
  private ClaimDriver driver;

  @BeforeEach
  void begin() throws IOException {
    cdi = folder.resolve("cdi");
    driver =
        new ClaimDriver(
            NAME,
            new ClaimDriver.Folders(folder.resolve("registry"), folder.resolve("plugins"), cdi),
            ClaimDriverTest::find,
            Map.of(Path.of("/srv/client"), "/opt/outboard"),
            Map.of("LD_LIBRARY_PATH", "/opt/outboard/lib"));
  }

  @AfterEach
  void end() {
    driver.close();
  }

  private static ClaimSource.Prepared find(String namespace, String name, String uid)
      throws IOException {
    if (name.equals("waits")) {
      throw new IOException("the claim's lease has no GPUs yet");
    }
    return new ClaimSource.Prepared(
        List.of(
            new ClaimSource.Place("gpu", "outboard", "h200-0", "share-1"),
            new ClaimSource.Place("more", "outboard", "h200-1", "")),
        Map.of("OUTBOARD_TOKEN", namespace + "/" + name + "/" + uid));
  }

  private static Message ask(
      Path socket, MethodDescriptor<Message, Message> method, Message question) {
    ManagedChannel kubelet = UnixGrpc.dial(socket);
    try {
      return ClientCalls.blockingUnaryCall(kubelet, method, CallOptions.DEFAULT, question);
    } finally {
      var unused = kubelet.shutdownNow();
    }
  }

  private Path registration() {
    return folder.resolve("registry").resolve(NAME + "-reg.sock");
  }

  private Path socket() {
    return Path.of(ask(registration(), ClaimRegistration.INFO, new Message()).texts(3).getFirst());
  }

  private static Message claims(String name, String... uids) {
    Message all = new Message();
    for (String uid : uids) {
      all.with(1, new Message().with(1, "physics").with(2, uid).with(3, name));
    }
    return all;
  }

  /** The value for a claim in the answer. */
  private static Message of(Message answer, String uid) {
    return answer.messages(1).stream()
        .filter(entry -> entry.texts(1).equals(List.of(uid)))
        .map(entry -> entry.messages(2).getFirst())
        .findFirst()
        .orElseThrow();
  }

  private List<String> files() throws IOException {
    if (!Files.isDirectory(cdi)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(cdi)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Test
  void theKubeletFindsIt() {
    Message info = ask(registration(), ClaimRegistration.INFO, new Message());
    assertEquals(List.of("DRAPlugin"), info.texts(1));
    assertEquals(List.of(NAME), info.texts(2));
    assertEquals(List.of("v1.DRAPlugin"), info.texts(4));
    Message unused =
        ask(registration(), ClaimRegistration.STATUS, new Message().with(2, "no such version"));
  }

  @Test
  void aClaimIsADeviceOfContainersUntilItsEnd() throws Exception {
    for (int time = 0; time < 2; time++) {
      Message answer = ask(socket(), NodeClaims.PREPARE, claims("some", "u-1"));
      List<Message> devices = of(answer, "u-1").messages(1);
      assertEquals(List.of("gpu"), devices.getFirst().texts(1));
      assertEquals(List.of("outboard"), devices.getFirst().texts(2));
      assertEquals(List.of("h200-0"), devices.getFirst().texts(3));
      assertEquals(List.of("outboard.io/claim=u-1"), devices.getFirst().texts(4));
      assertEquals(List.of("share-1"), devices.getFirst().texts(5));
      assertEquals(List.of(), devices.getLast().texts(5));
    }
    assertEquals(List.of("outboard.io-claim-u-1.json"), files());
    Path file = cdi.resolve("outboard.io-claim-u-1.json");
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    Map<?, ?> spec = (Map<?, ?>) Json.read(Files.readString(file));
    assertEquals("outboard.io/claim", spec.get("kind"));
    Map<?, ?> device = (Map<?, ?>) ((List<?>) spec.get("devices")).getFirst();
    assertEquals("u-1", device.get("name"));
    assertEquals(
        List.of("LD_LIBRARY_PATH=/opt/outboard/lib", "OUTBOARD_TOKEN=physics/some/u-1"),
        ((Map<?, ?>) device.get("containerEdits")).get("env"));
    assertTrue(device.toString().contains("/srv/client"), device::toString);
    for (int time = 0; time < 2; time++) {
      Message ended = ask(socket(), NodeClaims.UNPREPARE, claims("some", "u-1"));
      assertEquals(List.of(), of(ended, "u-1").texts(1));
    }
    assertEquals(List.of(), files());
  }

  @Test
  void oneThatWaitsHoldsUpNoOther() throws Exception {
    Message both = claims("waits", "u-2").with(1, claims("some", "u-3").messages(1).getFirst());
    Message answer = ask(socket(), NodeClaims.PREPARE, both);
    assertEquals(List.of("the claim's lease has no GPUs yet"), of(answer, "u-2").texts(2));
    assertEquals(2, of(answer, "u-3").messages(1).size());
    assertEquals(List.of("outboard.io-claim-u-3.json"), files());
  }

  @Test
  void aUniqueNameIsNoPath() throws Exception {
    Message answer = ask(socket(), NodeClaims.PREPARE, claims("some", "../../etc/passwd"));
    assertEquals(1, of(answer, "../../etc/passwd").texts(2).size());
    Message ended = ask(socket(), NodeClaims.UNPREPARE, claims("some", "../x"));
    assertEquals(1, of(ended, "../x").texts(1).size());
    assertEquals(List.of(), files());
  }
}
