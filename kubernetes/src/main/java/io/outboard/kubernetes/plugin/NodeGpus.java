// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.plugin;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The kubelet's device plug-in ({@code v1beta1.DevicePlugin}) for the GPUs of a pool. A device is a
 * place to use one, and no certain one: the lease of the pod says which GPUs it has, and whether.
 */
final class NodeGpus {
  private static final String SERVICE = "v1beta1.DevicePlugin";
  private static final MethodDescriptor<Message, Message> OPTIONS =
      UnixGrpc.method(SERVICE, "GetDevicePluginOptions", MethodType.UNARY);
  private static final MethodDescriptor<Message, Message> LIST =
      UnixGrpc.method(SERVICE, "ListAndWatch", MethodType.SERVER_STREAMING);
  private static final MethodDescriptor<Message, Message> ALLOCATE =
      UnixGrpc.method(SERVICE, "Allocate", MethodType.UNARY);

  // Fields of ListAndWatchResponse, Device, AllocateRequest, ContainerAllocateRequest,
  // AllocateResponse, ContainerAllocateResponse, Mount, and of an entry of a map.
  private static final int DEVICES = 1;
  private static final int DEVICE_ID = 1;
  private static final int DEVICE_HEALTH = 2;
  private static final int CONTAINERS = 1;
  private static final int ENVS = 1;
  private static final int MOUNTS = 2;
  private static final int MOUNT_INSIDE = 1;
  private static final int MOUNT_OUTSIDE = 2;
  private static final int MOUNT_READ_ONLY = 3;
  private static final int KEY = 1;
  private static final int VALUE = 2;

  private final Map<Path, String> mounts;
  private final Map<String, String> variables;
  private final Set<StreamObserver<Message>> watchers = ConcurrentHashMap.newKeySet();
  private int gpus;

  /**
   * Makes it.
   *
   * @param mounts places in the container, by those of the node; all are read alone
   */
  NodeGpus(Map<Path, String> mounts, Map<String, String> variables) {
    this.mounts = new LinkedHashMap<>(mounts);
    this.variables = new LinkedHashMap<>(variables);
  }

  /** The service that the kubelet calls. */
  ServerServiceDefinition service() {
    return ServerServiceDefinition.builder(SERVICE)
        .addMethod(OPTIONS, ServerCalls.asyncUnaryCall(NodeGpus::options))
        .addMethod(LIST, ServerCalls.asyncServerStreamingCall((_, to) -> watch(to)))
        .addMethod(ALLOCATE, ServerCalls.asyncUnaryCall(this::allocate))
        .build();
  }

  /** Says how many there are now. */
  synchronized void offer(int number) {
    if (number != gpus) {
      gpus = number;
      watchers.removeIf(to -> !told(to));
    }
  }

  private static void options(Message unused, StreamObserver<Message> to) {
    to.onNext(new Message());
    to.onCompleted();
  }

  /** The stream stays open; it ends with the kubelet. */
  private synchronized void watch(StreamObserver<Message> to) {
    watchers.removeIf(other -> !told(other));
    if (told(to)) {
      boolean unused = watchers.add(to);
    }
  }

  private boolean told(StreamObserver<Message> to) {
    Message all = new Message();
    for (int i = 0; i < gpus; i++) {
      all.with(DEVICES, new Message().with(DEVICE_ID, "gpu-" + i).with(DEVICE_HEALTH, "Healthy"));
    }
    try {
      to.onNext(all);
      return true;
    } catch (RuntimeException e) {
      // gRPC's: the stream is over.
      return false;
    }
  }

  private void allocate(Message request, StreamObserver<Message> to) {
    Message answer = new Message();
    List<Message> containers = request.messages(CONTAINERS);
    containers.forEach(unused -> answer.with(CONTAINERS, container()));
    to.onNext(answer);
    to.onCompleted();
  }

  private Message container() {
    Message container = new Message();
    variables.forEach(
        (name, value) -> container.with(ENVS, new Message().with(KEY, name).with(VALUE, value)));
    mounts.forEach(
        (outside, inside) ->
            container.with(
                MOUNTS,
                new Message()
                    .with(MOUNT_INSIDE, inside)
                    .with(MOUNT_OUTSIDE, outside.toString())
                    .withTrue(MOUNT_READ_ONLY)));
    return container;
  }
}
