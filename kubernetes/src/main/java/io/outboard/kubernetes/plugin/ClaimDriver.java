// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.plugin;

import io.grpc.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A node's driver of claims: two sockets, at which the kubelet finds it and asks it. */
public final class ClaimDriver implements AutoCloseable {
  private static final String SOCKET = "dra.sock";

  private final Server service;
  private final Server registration;

  /**
   * Where it serves.
   *
   * @param registry the folder in which the kubelet looks for plug-ins
   * @param plugins the folder in which each has one of its own
   * @param cdi the folder of the container runtime's devices
   */
  public record Folders(Path registry, Path plugins, Path cdi) {}

  /**
   * Begins to serve.
   *
   * @param name of the driver
   * @param mounts places in containers, by those of the node
   * @param variables of all containers
   * @throws IOException if it cannot
   */
  public ClaimDriver(
      String name,
      Folders folders,
      ClaimSource claims,
      Map<Path, String> mounts,
      Map<String, String> variables)
      throws IOException {
    Path own = Files.createDirectories(folders.plugins().resolve(name)).resolve(SOCKET);
    CdiFiles files = new CdiFiles(folders.cdi(), mounts, variables);
    service = UnixGrpc.serve(own, new NodeClaims(claims, files).service());
    // The kubelet asks as soon as it sees this one.
    registration =
        UnixGrpc.serve(
            Files.createDirectories(folders.registry()).resolve(name + "-reg.sock"),
            new ClaimRegistration(name, own).service());
  }

  /** Waits for its end. */
  public void await() throws InterruptedException {
    service.awaitTermination();
  }

  @Override
  public void close() {
    Server unused = registration.shutdownNow();
    Server unusedToo = service.shutdownNow();
  }
}
