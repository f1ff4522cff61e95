// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.openstack;

import io.outboard.communicator.certificate.Pem;
import io.outboard.communicator.certificate.TlsCaller;
import io.outboard.communicator.posix.PrivateFiles;
import io.outboard.openstack.notice.MessageBroker;
import io.outboard.openstack.notice.Notice;
import io.outboard.openstack.notice.NoticeQueue;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** Where the cloud's notifications are. */
final class NoticeOptions {
  @Option(
      names = "--notifications",
      paramLabel = "URI",
      description = {
        "RabbitMQ, as amqps://USER@HOST:5671/, or amqp://USER@127.0.0.1/: leases end at once then.",
        "May be given for each of its nodes. Default: machines are compared alone."
      })
  private final List<URI> brokers = new ArrayList<>();

  @Option(
      names = "--notifications-password-file",
      paramLabel = "FILE",
      description = "The user's password there; read by this user alone.")
  private Path password;

  @Option(
      names = "--notifications-topic",
      paramLabel = "NAME",
      defaultValue = "versioned_notifications",
      description = "Nova's topic of versioned notifications. Default: ${DEFAULT-VALUE}")
  private String topic;

  @Option(
      names = "--notifications-ca",
      paramLabel = "FILE",
      description = "Authorities that vouch for RabbitMQ, PEM. Default: the system's.")
  private Path authorities;

  /** Those of Nova, once they are started; none where nobody says where they are. */
  Optional<NoticeQueue> queue(Consumer<Notice> listener) throws IOException {
    if (brokers.isEmpty()) {
      return Optional.empty();
    }
    if (password == null) {
      throw new IOException("--notifications-password-file has the password of RabbitMQ's user");
    }
    TlsCaller tls =
        new TlsCaller(
            authorities == null ? List.of() : Pem.certificates(authorities), Optional.empty());
    try {
      List<MessageBroker> all = brokers.stream().map(MessageBroker::new).toList();
      String secret = PrivateFiles.read(password).strip();
      return Optional.of(new NoticeQueue(all, secret, tls.context(), topic, listener));
    } catch (IllegalArgumentException e) {
      throw new IOException("--notifications: " + e.getMessage(), e);
    }
  }
}
