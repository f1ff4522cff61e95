// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.discover;

import io.outboard.communicator.Endpoint;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Whether one says on its network that it is there; without it nobody hears of it. */
public final class AnnounceOption {
  private static final Set<String> SCHEMES = Set.of("tcp", "tls");

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--announce",
      description = {
        "Says on the local network, by DNS-SD, that it is there: where it listens (tls:// and",
        "tcp://), how many GPUs it has, and their model. 'outboard devices --discover' finds it."
      })
  private boolean announce;

  /** Refuses, as wrong usage, what could be announced to nobody. */
  public void check(List<Endpoint> endpoints) {
    if (announce && heard(endpoints).findAny().isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "--announce is for a --listen tls:// or tcp:// that other machines reach");
    }
  }

  /**
   * Announces one from now on, if that is wanted.
   *
   * @param endpoints where it listens
   * @param gpus how many it has; 0: it does not say
   * @param api the URL of its HTTP interface, or empty
   */
  public void announce(String role, List<Endpoint> endpoints, int gpus, String model, String api) {
    if (announce) {
      AnnouncerProcess.keep(
          heard(endpoints)
              .map(
                  at -> new Announcement(role, at.scheme(), at.host(), at.port(), gpus, model, api))
              .toList());
    }
  }

  private static Stream<Endpoint> heard(List<Endpoint> endpoints) {
    return endpoints.stream().filter(at -> SCHEMES.contains(at.scheme()) && !isLoopback(at.host()));
  }

  /** A name that is not known yet may be so later. */
  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
