// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.discover;

import io.outboard.lease.Form;
import java.io.IOException;
import java.net.InetAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import javax.jmdns.JmDNS;
import javax.jmdns.ServiceInfo;

/**
 * The process beside a backend or a broker that announces it. It hears what anybody of the network
 * says, without a bound of the library's on what that makes it remember: so it is a process of its
 * own with little memory and nothing else in it, which ends when that is full, and is started
 * again. It ends when its standard input does, as the one that it announces has gone then; and when
 * the machine has other addresses, so that the next one announces these.
 */
public final class Announcer {
  private static final long LOOK_MS = 10_000;
  private static final int OTHER_ADDRESSES = 3;

  private final List<Announcement> announcements;
  private final List<InetAddress> addresses;

  private Announcer(List<Announcement> announcements, List<InetAddress> addresses) {
    this.announcements = announcements;
    this.addresses = addresses;
  }

  /**
   * Announces what the arguments say, each a form.
   *
   * @param arguments as {@link Announcement#form} writes them
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    List<Announcement> announcements =
        Stream.of(arguments)
            .map(Form::parse)
            .map(form -> Announcement.of(form, Math.toIntExact(form.number("port", 0))))
            .toList();
    Announcer announcer = new Announcer(announcements, Interfaces.addresses());
    Thread unused = Thread.ofPlatform().daemon(true).name("input").start(Announcer::endWithInput);
    announcer.announce();
    while (announcer.addresses.equals(Interfaces.addresses())) {
      Thread.sleep(LOOK_MS);
    }
    Runtime.getRuntime().halt(OTHER_ADDRESSES);
  }

  /** The library says goodbye for it as the process ends. */
  private static void endWithInput() {
    try {
      while (System.in.read() >= 0) {
        // Nobody writes.
      }
    } catch (IOException e) {
      // It has ended, too.
    }
    System.exit(0);
  }

  private void announce() throws IOException {
    int announced = 0;
    for (InetAddress address : addresses) {
      List<Announcement> here =
          announcements.stream().filter(one -> Interfaces.isAt(one.host(), address)).toList();
      if (!here.isEmpty()) {
        announce(address, here);
        announced++;
      }
    }
    if (announced == 0) {
      System.err.println("outboard: no network of this machine has what is to be announced");
    }
  }

  private static void announce(InetAddress address, List<Announcement> here) throws IOException {
    String host = InetAddress.getLocalHost().getHostName().split("\\.", 2)[0];
    String own = host + "-" + HexFormat.of().formatHex(address.getAddress());
    JmDNS dns = JmDNS.create(address, own);
    for (Announcement one : here) {
      String name = "%s on %s, port %d".formatted(one.role(), host, one.port());
      dns.registerService(
          ServiceInfo.create(Announcement.TYPE, name, one.port(), 0, 0, false, one.attributes()));
    }
    Runtime.getRuntime()
        .addShutdownHook(new Thread(dns::unregisterAllServices, "goodbye of " + own));
  }
}
