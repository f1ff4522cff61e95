// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.plugin;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.outboard.kubernetes.resource.Words;
import io.outboard.office.Device;
import io.outboard.office.LeaseOffice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Offers a node's kubelet the GPUs of a pool: registers, and again where the kubelet has begun
 * anew, which takes away the sockets of all plug-ins.
 */
public final class DevicePlugin implements AutoCloseable {
  private static final String VERSION = "v1beta1";
  private static final String SOCKET = "outboard.sock";
  private static final String KUBELET = "kubelet.sock";
  private static final long LIMIT_S = 20;
  private static final MethodDescriptor<Message, Message> REGISTER =
      UnixGrpc.method("v1beta1.Registration", "Register", MethodType.UNARY);

  // Fields of RegisterRequest.
  private static final int REGISTER_VERSION = 1;
  private static final int REGISTER_ENDPOINT = 2;
  private static final int REGISTER_RESOURCE = 3;

  private final Path folder;
  private final LeaseOffice office;
  private final NodeGpus gpus;
  private Optional<Server> server = Optional.empty();
  private Optional<Object> registered = Optional.empty();

  /**
   * Makes one.
   *
   * @param folder of the kubelet's sockets of plug-ins
   * @param mounts places in containers, by those of the node
   * @param variables of containers
   */
  public DevicePlugin(
      Path folder, LeaseOffice office, Map<Path, String> mounts, Map<String, String> variables) {
    this.folder = folder;
    this.office = office;
    this.gpus = new NodeGpus(mounts, variables);
  }

  /**
   * Counts the pool's GPUs, and registers where the kubelet does not know of them.
   *
   * @return whether it has registered now
   * @throws IOException if the office or the kubelet does not answer
   */
  public boolean look() throws IOException {
    gpus.offer((int) office.devices().stream().filter(DevicePlugin::isOffered).count());
    Optional<Object> kubelet = kubelet();
    boolean known =
        kubelet.isPresent() && kubelet.equals(registered) && Files.exists(folder.resolve(SOCKET));
    if (known || kubelet.isEmpty()) {
      return false;
    }
    close();
    server = Optional.of(UnixGrpc.serve(folder.resolve(SOCKET), gpus.service()));
    register();
    registered = kubelet;
    return true;
  }

  private static boolean isOffered(Device device) {
    return device.whole() && device.healthy();
  }

  /** Which kubelet it is, by its socket; none where it does not run. */
  private Optional<Object> kubelet() throws IOException {
    try {
      BasicFileAttributes facts =
          Files.readAttributes(folder.resolve(KUBELET), BasicFileAttributes.class);
      return Optional.of(facts.fileKey() + " " + facts.creationTime());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private void register() throws IOException {
    ManagedChannel channel = UnixGrpc.dial(folder.resolve(KUBELET));
    try {
      Message unused =
          ClientCalls.blockingUnaryCall(
              channel,
              REGISTER,
              CallOptions.DEFAULT.withDeadlineAfter(LIMIT_S, TimeUnit.SECONDS),
              new Message()
                  .with(REGISTER_VERSION, VERSION)
                  .with(REGISTER_ENDPOINT, SOCKET)
                  .with(REGISTER_RESOURCE, Words.RESOURCE));
    } catch (StatusRuntimeException e) {
      throw new IOException("the kubelet does not take the plug-in: " + e.getMessage(), e);
    } finally {
      var unused = channel.shutdownNow();
    }
  }

  @Override
  public void close() {
    server.ifPresent(Server::shutdownNow);
    server = Optional.empty();
    registered = Optional.empty();
  }
}
