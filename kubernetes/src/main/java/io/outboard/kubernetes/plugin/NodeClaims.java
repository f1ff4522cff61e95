// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.plugin;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.List;

/**
 * The kubelet's driver of claims ({@code v1.DRAPlugin}): before a container of a claim begins there
 * is a file by which the runtime gives it client, address and token of the claim's lease.
 */
final class NodeClaims {
  private static final String SERVICE = "k8s.io.kubelet.pkg.apis.dra.v1.DRAPlugin";
  static final MethodDescriptor<Message, Message> PREPARE =
      UnixGrpc.method(SERVICE, "NodePrepareResources", MethodType.UNARY);
  static final MethodDescriptor<Message, Message> UNPREPARE =
      UnixGrpc.method(SERVICE, "NodeUnprepareResources", MethodType.UNARY);

  // Fields of the requests, Claim, the answers (maps, whose entries have a key and a value),
  // NodePrepareResourceResponse and Device.
  private static final int CLAIMS = 1;
  private static final int CLAIM_NAMESPACE = 1;
  private static final int CLAIM_UID = 2;
  private static final int CLAIM_NAME = 3;
  private static final int KEY = 1;
  private static final int VALUE = 2;
  private static final int DEVICES = 1;
  private static final int PREPARE_ERROR = 2;
  private static final int UNPREPARE_ERROR = 1;
  private static final int DEVICE_REQUESTS = 1;
  private static final int DEVICE_POOL = 2;
  private static final int DEVICE_NAME = 3;
  private static final int DEVICE_CDI = 4;
  private static final int DEVICE_SHARE = 5;

  private final ClaimSource claims;
  private final CdiFiles files;

  NodeClaims(ClaimSource claims, CdiFiles files) {
    this.claims = claims;
    this.files = files;
  }

  /** The service that the kubelet calls. */
  ServerServiceDefinition service() {
    return ServerServiceDefinition.builder(SERVICE)
        .addMethod(PREPARE, ServerCalls.asyncUnaryCall((all, to) -> answer(all, to, this::prepare)))
        .addMethod(
            UNPREPARE, ServerCalls.asyncUnaryCall((all, to) -> answer(all, to, this::unprepare)))
        .build();
  }

  /** The answer about one claim. */
  @FunctionalInterface
  private interface Answer {
    Message about(Message claim);
  }

  private static void answer(Message request, StreamObserver<Message> to, Answer each) {
    Message all = new Message();
    for (Message claim : request.messages(CLAIMS)) {
      all.with(
          CLAIMS, new Message().with(KEY, text(claim, CLAIM_UID)).with(VALUE, each.about(claim)));
    }
    to.onNext(all);
    to.onCompleted();
  }

  private static String text(Message message, int field) {
    List<String> texts = message.texts(field);
    return texts.isEmpty() ? "" : texts.getLast();
  }

  /** An error has the kubelet ask again; the pod waits, and an event says why. */
  private Message prepare(Message claim) {
    try {
      ClaimSource.Prepared prepared =
          claims.find(
              text(claim, CLAIM_NAMESPACE), text(claim, CLAIM_NAME), text(claim, CLAIM_UID));
      String device = files.write(text(claim, CLAIM_UID), prepared.variables());
      Message devices = new Message();
      prepared.places().forEach(place -> devices.with(DEVICES, device(place, device)));
      return devices;
    } catch (IOException e) {
      return new Message().with(PREPARE_ERROR, String.valueOf(e.getMessage()));
    }
  }

  private static Message device(ClaimSource.Place place, String device) {
    return new Message()
        .with(DEVICE_REQUESTS, place.request())
        .with(DEVICE_POOL, place.pool())
        .with(DEVICE_NAME, place.device())
        .with(DEVICE_CDI, device)
        .with(DEVICE_SHARE, place.share());
  }

  private Message unprepare(Message claim) {
    try {
      files.remove(text(claim, CLAIM_UID));
      return new Message();
    } catch (IOException e) {
      return new Message().with(UNPREPARE_ERROR, String.valueOf(e.getMessage()));
    }
  }
}
