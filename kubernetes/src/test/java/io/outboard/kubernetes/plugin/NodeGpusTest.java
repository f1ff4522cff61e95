// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The device plug-in, as a kubelet calls it over a Unix socket. */
final class NodeGpusTest {
  private static final String SERVICE = "v1beta1.DevicePlugin";

  @TempDir private Path folder;

  private static MethodDescriptor<Message, Message> method(String name, MethodType type) {
    return UnixGrpc.method(SERVICE, name, type);
  }

  @Test
  void theKubeletHearsOfEachChangeAndIsGivenClientAndAddress() throws Exception {
    NodeGpus gpus =
        new NodeGpus(
            Map.of(Path.of("/srv/client"), "/opt/outboard"),
            Map.of("OUTBOARD", "unix:/run/outboard/outboard.sock"));
    gpus.offer(2);
    Server server = UnixGrpc.serve(folder.resolve("socket"), gpus.service());
    ManagedChannel kubelet = UnixGrpc.dial(folder.resolve("socket"));
    try {
      Iterator<Message> watch =
          ClientCalls.blockingServerStreamingCall(
              kubelet,
              method("ListAndWatch", MethodType.SERVER_STREAMING),
              CallOptions.DEFAULT,
              new Message());
      assertEquals(List.of("gpu-0", "gpu-1"), ids(watch.next()));
      gpus.offer(3);
      assertEquals(List.of("gpu-0", "gpu-1", "gpu-2"), ids(watch.next()));
      Message wanted = new Message().with(1, new Message().with(1, "gpu-0").with(1, "gpu-2"));
      Message given =
          ClientCalls.blockingUnaryCall(
              kubelet, method("Allocate", MethodType.UNARY), CallOptions.DEFAULT, wanted);
      Message container = given.messages(1).getFirst();
      assertEquals(List.of("OUTBOARD"), container.messages(1).getFirst().texts(1));
      assertEquals(List.of("/opt/outboard"), container.messages(2).getFirst().texts(1));
      assertEquals(List.of("/srv/client"), container.messages(2).getFirst().texts(2));
    } finally {
      var unused = kubelet.shutdownNow();
      var unusedServer = server.shutdownNow();
    }
  }

  private static List<String> ids(Message devices) {
    return devices.messages(1).stream().map(device -> device.texts(1).getFirst()).toList();
  }

  /** Written by protoc 3: {@code devices {ID: "a" health: "Healthy" topology {nodes {ID: 1}}}}. */
  @Test
  void fieldsOfOtherTypesArePassedOver() {
    byte[] bytes = HexFormat.of().parseHex("0a120a016112074865616c7468791a040a020801");
    Message read = Message.MARSHALLER.parse(new ByteArrayInputStream(bytes));
    assertEquals(List.of("a"), ids(read));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0a", "0aff", "0affffffffffffffffff7f", "ffffffffffffffffffffff", "0b"})
  void whatIsNoMessageIsRefused(String hex) {
    ByteArrayInputStream bytes = new ByteArrayInputStream(HexFormat.of().parseHex(hex));
    assertThrows(StatusRuntimeException.class, () -> Message.MARSHALLER.parse(bytes));
  }
}
