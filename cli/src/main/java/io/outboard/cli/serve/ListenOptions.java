// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import io.outboard.backend.daemon.DaemonBuilder;
import io.outboard.cli.command.Failure;
import io.outboard.cli.doctor.EnvironmentCheck;
import io.outboard.client.find.Backends;
import io.outboard.client.find.Found;
import io.outboard.communicator.Capability;
import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.posix.Processes;
import io.outboard.communicator.socket.UnixCommunicator;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Where clients connect to. */
final class ListenOptions {
  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--listen",
      paramLabel = "URI",
      description = {
        "Where clients connect to: unix:PATH, tls://HOST[:PORT] or tcp://HOST[:PORT]; for virtual",
        "machines of this host vsock://:PORT (vhost-vsock), or vsock-uds:PATH:PORT (Firecracker,",
        "Cloud Hypervisor: PATH is what the machine is configured with), or virtio:PATH (the",
        "socket of QEMU's virtio-serial port); may be given several times.",
        "Without any: the key communicator of a gvirtus.properties (docs/configuration.md).",
        "Without unix:PATH also the user's socket, where 'outboard run' looks; for root without a",
        "runtime folder, the system's. A socket that another backend has is left to it."
      })
  private final List<String> listen = new ArrayList<>();

  private List<Endpoint> named = List.of();
  private boolean needsSocket;

  /**
   * Returns the places that are named, and the user's socket where none of them is a Unix one.
   *
   * @param replace whether another backend leaves its socket to this one
   */
  List<Endpoint> endpoints(boolean replace) throws Failure {
    named = parsed();
    needsSocket = replace || named.stream().noneMatch(ListenOptions::isForOwnUse);
    List<Endpoint> endpoints = new ArrayList<>(named);
    if (socket(endpoints).isEmpty()) {
      Endpoint own = Endpoint.unix(placeOfSocket().toString());
      if (needsSocket || looksFree(own)) {
        endpoints.add(own);
      }
    }
    return endpoints;
  }

  /** Has a daemon listen there; others may be quicker to take the user's socket. */
  void apply(DaemonBuilder builder, List<Endpoint> endpoints) {
    for (Endpoint endpoint : endpoints) {
      if (needsSocket || named.contains(endpoint)) {
        builder.listen(endpoint);
      } else {
        builder.listenIfFree(endpoint, () -> tellTaken(endpoint));
      }
    }
  }

  /** Returns the places that are named. */
  List<Endpoint> parsed() throws Failure {
    try {
      List<Endpoint> endpoints = new ArrayList<>(listen.stream().map(Endpoint::parse).toList());
      if (endpoints.isEmpty()) {
        gvirtus(new Backends()).ifPresent(endpoints::add);
      }
      endpoints.forEach(Communicator::of);
      return endpoints;
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    } catch (IOException e) {
      throw new Failure(e);
    }
  }

  /** What GVirtuS' backend reads, too: both sides have one file. */
  private Optional<Endpoint> gvirtus(Backends backends) throws IOException {
    Optional<Found> found = backends.gvirtus();
    if (found.isPresent()) {
      PrintWriter err = spec.commandLine().getErr();
      err.printf(
          "outboard: %s names the place: %s; --listen takes another%n",
          found.get().where(), found.get().endpoint());
      EnvironmentCheck.plugins(backends.gvirtusFiles())
          .forEach(finding -> err.println("outboard: " + finding.text()));
    }
    return found.map(Found::endpoint);
  }

  private boolean looksFree(Endpoint socket) {
    boolean taken = UnixCommunicator.answers(socket.path());
    if (taken) {
      tellTaken(socket);
    }
    return !taken;
  }

  private void tellTaken(Endpoint socket) {
    spec.commandLine()
        .getErr()
        .printf(
            "outboard: %s is another backend's; programs end with this one, unless --listen"
                + " unix:PATH gives it a socket%n",
            socket);
  }

  private static Path placeOfSocket() {
    Backends backends = new Backends();
    boolean service = backends.runtimeSocket().isEmpty() && Processes.getuid() == 0;
    return service ? backends.systemSocket() : backends.userSocket();
  }

  /**
   * Where this process reaches its own backend, which need not be whom it would trust. There always
   * is one among {@link #endpoints}.
   */
  static Endpoint own(List<Endpoint> endpoints) {
    return socket(endpoints)
        .or(() -> endpoints.stream().filter(ListenOptions::isForOwnUse).findFirst())
        .orElseThrow();
  }

  /** The first Unix socket, which only one backend at a time can have. */
  static Optional<Endpoint> socket(List<Endpoint> endpoints) {
    return endpoints.stream().filter(at -> at.scheme().equals(Endpoint.UNIX)).findFirst();
  }

  private static boolean isForOwnUse(Endpoint endpoint) {
    return Communicator.of(endpoint).capabilities().has(Capability.OWN_USE);
  }
}
