// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.notice;

import com.rabbitmq.client.ConnectionFactory;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Set;
import javax.net.ssl.SSLContext;

/**
 * A message broker of the cloud, RabbitMQ with AMQP 0-9-1.
 *
 * @param uri {@code amqps://USER@HOST:PORT/VHOST}; {@code amqp} on this machine alone; without a
 *     virtual host the one that is called {@code /}
 */
public record MessageBroker(URI uri) {
  private static final String ENCRYPTED = "amqps";
  private static final Duration CONNECT = Duration.ofSeconds(10);

  /** A broker that has gone is missed after two of these. */
  private static final int HEARTBEAT_SECONDS = 10;

  /** A notification of a machine has some 10 KiB. */
  private static final int MOST_BYTES = 1 << 20;

  /**
   * Checks the address.
   *
   * @throws IllegalArgumentException if it is none, or the password would go over a network without
   *     encryption
   */
  public MessageBroker {
    if (!Set.of(ENCRYPTED, "amqp").contains(String.valueOf(uri.getScheme()))
        || uri.getHost() == null
        || uri.getUserInfo() == null) {
      throw new IllegalArgumentException("a message broker is amqps://USER@HOST:PORT/VHOST");
    }
    if (uri.getUserInfo().contains(":")) {
      throw new IllegalArgumentException("a password is in a file, not in an address");
    }
    if (!uri.getScheme().equals(ENCRYPTED) && !isHere(uri.getHost())) {
      throw new IllegalArgumentException(
          uri + " would send the password without encryption: say amqps");
    }
  }

  private static boolean isHere(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** Makes its connections, with threads that end with the program. */
  ConnectionFactory connections(String password, SSLContext tls) {
    ConnectionFactory factory = new ConnectionFactory();
    try {
      factory.setUri(uri);
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(uri + ": " + e.getMessage(), e);
    }
    factory.setPassword(password);
    if (uri.getPath().length() <= 1) {
      // As oslo.messaging reads it: an empty name would be another virtual host.
      factory.setVirtualHost(ConnectionFactory.DEFAULT_VHOST);
    }
    if (uri.getScheme().equals(ENCRYPTED)) {
      factory.useSslProtocol(tls);
      factory.enableHostnameVerification();
    }
    factory.setThreadFactory(Thread.ofPlatform().name("notifications-", 0).daemon(true).factory());
    factory.setAutomaticRecoveryEnabled(false);
    factory.setConnectionTimeout((int) CONNECT.toMillis());
    factory.setHandshakeTimeout((int) CONNECT.toMillis());
    factory.setChannelRpcTimeout((int) CONNECT.toMillis());
    factory.setRequestedHeartbeat(HEARTBEAT_SECONDS);
    factory.setMaxInboundMessageBodySize(MOST_BYTES);
    return factory;
  }
}
