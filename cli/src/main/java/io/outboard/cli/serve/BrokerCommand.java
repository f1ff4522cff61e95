// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import io.outboard.api.ApiServer;
import io.outboard.backend.daemon.Daemon;
import io.outboard.backend.daemon.DaemonBuilder;
import io.outboard.backend.system.LogFormat;
import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Version;
import io.outboard.cli.discover.AnnounceOption;
import io.outboard.cli.discover.Announcement;
import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.greeting.TokenFile;
import io.outboard.communicator.posix.Processes;
import io.outboard.communicator.posix.ServiceManager;
import io.outboard.lease.postgres.LedException;
import io.outboard.lease.postgres.PostgresLocation;
import io.outboard.lease.store.StoreException;
import io.outboard.pool.BrokerDoor;
import io.outboard.pool.Pool;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code outboard broker}. */
@Command(
    name = "broker",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Leases the GPUs of many nodes, until it is told to end (Ctrl-C, SIGTERM).",
      "Programs go straight to the nodes, which work on while no broker is there. 'outboard node",
      "invite' lets a node join, which then serves with 'outboard serve --pool'."
    })
public final class BrokerCommand implements Callable<Integer> {
  private static final Duration LOOK = Duration.ofSeconds(1);

  @Spec private CommandSpec spec;

  @Option(
      names = "--store",
      paramLabel = "URI",
      required = true,
      description = {
        "Where leases and the ledger are kept: postgresql://USER@HOST[:PORT]/DATABASE, PostgreSQL"
            + " 15",
        "or later. A password is in ~/.pgpass. One broker at a time has it: another one waits until",
        "that is gone, and leads then."
      })
  private String store;

  @Option(
      names = "--restored",
      description = {
        "The store was restored from a backup: nodes are to obey this broker though they have obeyed",
        "later ones. Leases that the store does not know end on their nodes, before others get"
            + " their",
        "GPUs. For one start, after that."
      })
  private boolean restored;

  @Mixin private ListenOptions listen;
  @Mixin private AnnounceOption announcing;
  @Mixin private TlsOptions tls;
  @Mixin private ApiOptions api;

  @Option(
      names = "--state",
      paramLabel = "FOLDER",
      description = "Where the audit log of --api is. Default: as of 'serve'.")
  private Path state;

  @Override
  public Integer call() throws Failure {
    api.check();
    announcing.check(listen.parsed());
    PostgresLocation location = location();
    Processes.hide();
    LogFormat.usual(System.getenv()).use();
    List<Endpoint> endpoints = listen.endpoints(false);
    try {
      Pool pool = leading(location.whenLost(BrokerCommand::endLost));
      Daemon daemon = start(endpoints, pool);
      Optional<ApiServer> server =
          api.start(
              pool,
              StateFolder.of(state),
              texts(daemon.endpoints()),
              tls,
              () -> List.of(pool.members().authority()));
      announce(daemon, server);
      Runtime.getRuntime().addShutdownHook(new Thread(() -> end(daemon, server), "end"));
      daemon.await();
      return 0;
    } catch (IOException | StoreException e) {
      throw new Failure(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 1;
    }
  }

  /** Nobody hears of this broker before it leads. */
  private Pool leading(PostgresLocation location) throws InterruptedException {
    for (boolean told = false; ; told = true) {
      Pool pool = new Pool(location, true);
      try {
        pool.open(List.of());
        if (restored) {
          pool.nodes().restored();
        }
        return pool;
      } catch (LedException e) {
        if (!told) {
          spec.commandLine().getOut().println("waits: another broker leads");
          spec.commandLine().getOut().flush();
        }
        Thread.sleep(LOOK);
      }
    }
  }

  /** The facts here may be of the past: the next broker reads those that there are. */
  private static void endLost() {
    System.err.println("outboard: the store is lost, and another broker may lead: this one ends");
    Runtime.getRuntime().halt(1);
  }

  private PostgresLocation location() {
    try {
      return PostgresLocation.parse(store);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--store: " + e.getMessage(), e);
    }
  }

  /** A daemon that serves nobody: the worker that each one has ready is of no use here. */
  private Daemon start(List<Endpoint> endpoints, Pool pool) throws IOException {
    DaemonBuilder builder =
        Daemon.builder()
            .devices("software")
            .spareWorkers(0)
            .jvmOptions(WorkerOptions.ofThisProcess())
            .admission(new BrokerDoor(pool));
    listen.apply(builder, endpoints);
    if (endpoints.stream().anyMatch(TlsOptions::isWanted)) {
      builder.tls(tls.server());
    }
    if (!endpoints.stream().allMatch(Communicator::vouches)) {
      builder.token(TokenFile.ofBackend(System.getenv()));
    }
    return builder.start();
  }

  private static List<String> texts(List<Endpoint> endpoints) {
    return endpoints.stream().map(Endpoint::toString).toList();
  }

  private void announce(Daemon daemon, Optional<ApiServer> server) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    daemon.endpoints().forEach(endpoint -> out.println("brokering at " + endpoint));
    server.ifPresent(served -> out.println("api at " + served.uri()));
    out.flush();
    ServiceManager.tell(ServiceManager.READY, System.getenv());
    announcing.announce(
        Announcement.BROKER,
        daemon.endpoints(),
        0,
        "",
        server.map(served -> served.uri().toString()).orElse(""));
  }

  /** Being told to end is no failure, so the status is not the signal's. */
  private static void end(Daemon daemon, Optional<ApiServer> server) {
    server.ifPresent(ApiServer::close);
    daemon.end();
    Runtime.getRuntime().halt(0);
  }
}
