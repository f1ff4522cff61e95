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
import java.util.ArrayList;
import java.util.List;

/**
 * Asks the hosts that a program has for links between them, beside its start. Where there is none,
 * copies between two of them go through this host.
 */
final class LinkRequests {
  /** A host may try several others. */
  private static final int TIMEOUT_MS = 60_000;

  private final JoinedHosts hosts;
  private final List<Pair> pairs;

  private LinkRequests(JoinedHosts hosts, List<Pair> pairs) {
    this.hosts = hosts;
    this.pairs = pairs;
  }

  /** The two ends of a link. */
  record Pair(JoinedHost from, JoinedHost to) {}

  /** Begins, where there is any link to ask for. */
  static void begin(JoinedHosts hosts, List<JoinedHost> joined) {
    LinkRequests requests = new LinkRequests(hosts, possible(joined));
    if (!requests.pairs.isEmpty()) {
      Thread.ofPlatform().name("links").daemon(true).start(requests::askAll);
    }
  }

  /** A host that connects to no other one is not asked. */
  static List<Pair> possible(List<JoinedHost> joined) {
    List<Pair> pairs = new ArrayList<>();
    for (JoinedHost from : joined) {
      for (JoinedHost to : joined) {
        if (from.welcome().links() && !from.slot().equals(to.slot())) {
          pairs.add(new Pair(from, to));
        }
      }
    }
    return List.copyOf(pairs);
  }

  private void askAll() {
    pairs.forEach(this::ask);
  }

  private void ask(Pair pair) {
    JoinedHost from = pair.from;
    JoinedHost to = pair.to;
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
