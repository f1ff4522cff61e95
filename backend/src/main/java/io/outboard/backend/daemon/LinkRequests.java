// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import io.outboard.backend.library.JoinedHost;
import io.outboard.backend.system.Log;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.stream.MessageStream;
import io.outboard.wire.Bytes;
import io.outboard.wire.Hello;
import io.outboard.wire.HostLink;
import io.outboard.wire.Message;
import io.outboard.wire.ProtocolException;
import java.io.IOException;
import java.util.List;

/**
 * Asks the hosts that a program has for links between them, beside its start. Where there is none,
 * copies between two of them go through this host.
 */
final class LinkRequests {
  /** A host may try several others. */
  private static final int TIMEOUT_MS = 20_000;

  private final JoinedHosts hosts;
  private final List<JoinedHost> joined;

  private LinkRequests(JoinedHosts hosts, List<JoinedHost> joined) {
    this.hosts = hosts;
    this.joined = joined;
  }

  /** Begins, where there are several. */
  static void begin(JoinedHosts hosts, List<JoinedHost> joined) {
    if (joined.size() > 1) {
      LinkRequests requests = new LinkRequests(hosts, List.copyOf(joined));
      Thread.ofPlatform().name("links").daemon(true).start(requests::askAll);
    }
  }

  private void askAll() {
    for (JoinedHost from : joined) {
      for (JoinedHost to : joined) {
        if (!from.slot().equals(to.slot())) {
          ask(from, to);
        }
      }
    }
  }

  private void ask(JoinedHost from, JoinedHost to) {
    HostLink link = HostLink.to(to.slot(), Bytes.random(Message.IDENTITY));
    try {
      tell(to, link.reached());
      tell(from, link);
    } catch (IOException | ProtocolException e) {
      Log.debug("no link from %s to %s: %s".formatted(from.name(), to.name(), e.getMessage()));
    }
  }

  /** Returns when it has done that. */
  private void tell(JoinedHost host, HostLink link) throws IOException {
    Hello hello = HostLinks.further(Hello.FLAG_LINKS, host.welcome().session());
    int connection = hosts.further(host, hello);
    try {
      MessageStream messages = new MessageStream(connection, TIMEOUT_MS);
      messages.send(link.encode());
      if (!HostLink.decode(messages.receive()).equals(link)) {
        throw new ProtocolException("another link than was asked for");
      }
    } finally {
      Posix.close(connection);
    }
  }
}
