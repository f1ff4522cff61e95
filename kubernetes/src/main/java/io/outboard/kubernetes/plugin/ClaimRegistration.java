// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.plugin;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.List;

/**
 * Tells a kubelet of the driver ({@code pluginregistration.Registration}): it looks for sockets of
 * plug-ins in a folder, and asks each.
 */
final class ClaimRegistration {
  private static final System.Logger LOG = System.getLogger(ClaimRegistration.class.getName());
  private static final String SERVICE = "pluginregistration.Registration";
  static final MethodDescriptor<Message, Message> INFO =
      UnixGrpc.method(SERVICE, "GetInfo", MethodType.UNARY);
  static final MethodDescriptor<Message, Message> STATUS =
      UnixGrpc.method(SERVICE, "NotifyRegistrationStatus", MethodType.UNARY);

  // Fields of PluginInfo and RegistrationStatus.
  private static final int TYPE = 1;
  private static final int NAME = 2;
  private static final int ENDPOINT = 3;
  private static final int VERSIONS = 4;
  private static final int ERROR = 2;

  private final String driver;
  private final Path endpoint;

  /**
   * Makes it.
   *
   * @param endpoint the socket of the driver
   */
  ClaimRegistration(String driver, Path endpoint) {
    this.driver = driver;
    this.endpoint = endpoint;
  }

  /** The service that the kubelet calls. */
  ServerServiceDefinition service() {
    return ServerServiceDefinition.builder(SERVICE)
        .addMethod(INFO, ServerCalls.asyncUnaryCall((_, to) -> info(to)))
        .addMethod(STATUS, ServerCalls.asyncUnaryCall(ClaimRegistration::status))
        .build();
  }

  private void info(StreamObserver<Message> to) {
    to.onNext(
        new Message()
            .with(TYPE, "DRAPlugin")
            .with(NAME, driver)
            .with(ENDPOINT, endpoint.toString())
            .with(VERSIONS, "v1.DRAPlugin"));
    to.onCompleted();
  }

  private static void status(Message told, StreamObserver<Message> to) {
    List<String> errors = told.texts(ERROR);
    if (errors.isEmpty()) {
      LOG.log(System.Logger.Level.INFO, "the kubelet has taken the driver");
    } else {
      LOG.log(System.Logger.Level.WARNING, "the kubelet refuses the driver: " + errors.getFirst());
    }
    to.onNext(new Message());
    to.onCompleted();
  }
}
