// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.discover;

import io.outboard.lease.Form;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.jmdns.JmDNS;
import javax.jmdns.ServiceEvent;
import javax.jmdns.ServiceInfo;
import javax.jmdns.ServiceListener;

/**
 * Asks all networks of this machine who is there, and hears the answers for a time. Anybody may
 * answer, as often as he likes: the first of them count, up to a number.
 */
public final class Discovery implements ServiceListener {
  /** Most that are asked after, and most that are found. */
  private static final int MOST = 256;

  private final Set<String> names = new HashSet<>();
  private final Set<Discovered> found = new LinkedHashSet<>();

  private Discovery() {}

  /**
   * Looks around.
   *
   * @param time for how long
   * @throws IOException if this machine hears nobody
   */
  public static List<Discovered> look(Duration time) throws IOException {
    Discovery discovery = new Discovery();
    List<InetAddress> addresses = Interfaces.addresses();
    if (addresses.isEmpty()) {
      throw new IOException("this machine has no network but its own loopback");
    }
    for (InetAddress address : addresses) {
      JmDNS.create(address).addServiceListener(Announcement.TYPE, discovery);
    }
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return discovery.found();
  }

  private synchronized List<Discovered> found() {
    return List.copyOf(found);
  }

  @Override
  public void serviceAdded(ServiceEvent event) {
    if (isNew(event.getName())) {
      event.getDNS().requestServiceInfo(event.getType(), event.getName());
    }
  }

  private synchronized boolean isNew(String name) {
    return names.size() < MOST && names.add(name);
  }

  @Override
  public void serviceRemoved(ServiceEvent event) {
    // It was there a moment ago.
  }

  @Override
  public void serviceResolved(ServiceEvent event) {
    try {
      add(event.getInfo());
    } catch (IllegalArgumentException e) {
      // Somebody else's service, or somebody's nonsense.
    }
  }

  private void add(ServiceInfo info) {
    Form attributes = new Form();
    for (String name : Announcement.names()) {
      String value = info.getPropertyString(name);
      attributes.with(name, value == null ? "" : value);
    }
    Announcement said = Announcement.of(attributes, info.getPort());
    Stream.<InetAddress>concat(
            Stream.of(info.getInet4Addresses()), Stream.of(info.getInet6Addresses()))
        .findFirst()
        .ifPresent(address -> add(new Discovered(said, address)));
  }

  private synchronized void add(Discovered one) {
    if (found.size() < MOST) {
      found.add(one);
    }
  }
}
