// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import io.outboard.backend.daemon.DaemonBuilder;
import io.outboard.communicator.Capabilities;
import io.outboard.communicator.Capability;
import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.region.GuestMemory;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The memory that this machine shares with its guests. */
final class GuestMemoryOptions {
  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--ivshmem",
      paramLabel = "URI=FILE",
      description = {
        "Programs of the guest that come to this URI of --listen have the memory of its ivshmem",
        "device, which QEMU keeps in the file, one a guest: bytes travel there. Others, and those",
        "beyond the room, use the connection. May be given for each URI."
      })
  private final Map<String, Path> memories = new LinkedHashMap<>();

  @Option(
      names = "--ivshmem-fixed",
      paramLabel = "URI=FILE",
      description = {
        "The same for a guest that never moves to another hypervisor (QEMU's master=off):",
        "page-locked memory of its programs lies there too, in half of it at most."
      })
  private final Map<String, Path> fixed = new LinkedHashMap<>();

  void apply(DaemonBuilder builder, List<Endpoint> endpoints) {
    memories.forEach((uri, file) -> apply(builder, uri, endpoints, new GuestMemory(file, false)));
    fixed.forEach((uri, file) -> apply(builder, uri, endpoints, new GuestMemory(file, true)));
  }

  private void apply(
      DaemonBuilder builder, String uri, List<Endpoint> endpoints, GuestMemory memory) {
    if (memory.fixed() && memories.containsKey(uri)) {
      throw wrong(uri + " is given to --ivshmem-fixed too");
    }
    builder.memory(endpoint(uri, endpoints), memory);
  }

  private Endpoint endpoint(String uri, List<Endpoint> endpoints) {
    Endpoint endpoint =
        endpoints.stream()
            .filter(one -> one.equals(parse(uri)))
            .findFirst()
            .orElseThrow(() -> wrong(uri + " is no URI of --listen"));
    Capabilities can = Communicator.of(endpoint).capabilities();
    if (can.has(Capability.REGIONS) || can.has(Capability.VOUCHING)) {
      throw wrong(uri + " is not for guests: expected virtio:, vsock, tcp:// or tls://");
    }
    return endpoint;
  }

  private Endpoint parse(String uri) {
    try {
      return Endpoint.parse(uri);
    } catch (IllegalArgumentException e) {
      throw wrong(e.getMessage());
    }
  }

  private ParameterException wrong(String why) {
    return new ParameterException(spec.commandLine(), "--ivshmem: " + why);
  }
}
