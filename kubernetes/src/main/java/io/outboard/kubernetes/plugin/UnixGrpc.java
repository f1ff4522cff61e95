// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.plugin;

import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/** gRPC over Unix sockets, with the JDK's own: no native library is loaded. */
final class UnixGrpc {
  private static final int MOST_BYTES = 1 << 20;
  private static final EventLoopGroup LOOP =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

  private UnixGrpc() {}

  /** A call with one question, and one answer or a stream of them. */
  static MethodDescriptor<Message, Message> method(
      String service, String name, MethodDescriptor.MethodType type) {
    return MethodDescriptor.newBuilder(Message.MARSHALLER, Message.MARSHALLER)
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(service, name))
        .build();
  }

  /** Serves at a path; what was there before is gone. */
  static Server serve(Path socket, ServerServiceDefinition service) throws IOException {
    boolean unused = Files.deleteIfExists(socket);
    return NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
        .channelType(NioServerDomainSocketChannel.class)
        .bossEventLoopGroup(LOOP)
        .workerEventLoopGroup(LOOP)
        .maxInboundMessageSize(MOST_BYTES)
        .addService(service)
        .build()
        .start();
  }

  static ManagedChannel dial(Path socket) {
    return NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
        .channelType(NioDomainSocketChannel.class)
        .eventLoopGroup(LOOP)
        .usePlaintext()
        .maxInboundMessageSize(MOST_BYTES)
        .overrideAuthority("localhost")
        .build();
  }
}
