// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.openstack;

import io.outboard.api.ApiAddress;
import io.outboard.api.HttpServer;
import io.outboard.api.http.RateLimit;
import io.outboard.backend.system.Log;
import io.outboard.backend.system.LogFormat;
import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Quantities;
import io.outboard.cli.command.WatchLoop;
import io.outboard.cli.serve.TlsOptions;
import io.outboard.communicator.certificate.TlsServer;
import io.outboard.communicator.posix.Processes;
import io.outboard.office.LeaseOffice;
import io.outboard.openstack.cloud.Keystone;
import io.outboard.openstack.cloud.LeaseMachines;
import io.outboard.openstack.cloud.Nova;
import io.outboard.openstack.cloud.Placement;
import io.outboard.openstack.grant.CloudRules;
import io.outboard.openstack.grant.HeardMachines;
import io.outboard.openstack.grant.LeaseTerms;
import io.outboard.openstack.grant.MachineEndpoint;
import io.outboard.openstack.grant.MachineLeases;
import io.outboard.openstack.grant.MachineWatch;
import io.outboard.openstack.grant.OrphanMachines;
import io.outboard.openstack.grant.StaleMachines;
import io.outboard.openstack.grant.TokenExchange;
import io.outboard.openstack.notice.NoticeQueue;
import io.outboard.openstack.offer.ClientPackages;
import io.outboard.openstack.offer.OfferTerms;
import io.outboard.openstack.offer.PoolOffer;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code outboard openstack serve}. */
@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    description = {
      "Has Placement count the pool, and leases begin and end with machines.",
      "One of it runs for a pool and a cloud, until it is told to end."
    })
final class ServeMachines implements Callable<Integer> {
  private static final int RATE = 100;

  @Spec private CommandSpec spec;
  @ParentCommand private OpenstackCommand parent;

  @Option(
      names = "--listen",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:14905",
      description = {
        "Where Nova asks for vendor data, at /v1/vendordata: https://HOST:PORT, or",
        "http://127.0.0.1:PORT for this machine alone. Default: ${DEFAULT-VALUE}"
      })
  private String listen;

  @Mixin private TlsOptions tls;

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      defaultValue = "30s",
      converter = Quantities.Time.class,
      description = "How often leases are compared with machines. Default: ${DEFAULT-VALUE}")
  private Duration interval;

  @Option(
      names = "--life",
      paramLabel = "TIME",
      defaultValue = "1h",
      converter = Quantities.Time.class,
      description = {
        "How long leases go on while this service is not there to renew them: machines that run",
        "keep their GPUs for half of it at least. Default: ${DEFAULT-VALUE}"
      })
  private Duration life;

  @Option(
      names = "--idle-suspend",
      paramLabel = "TIME",
      defaultValue = "0",
      converter = Quantities.TimeOrNone.class,
      description = {
        "How long GPUs of a machine may be idle before others can have them; a call of its",
        "programs gets some again. Default: the node's '--idle-suspend'"
      })
  private Duration idle;

  @Option(
      names = "--overcommit",
      paramLabel = "NUMBER",
      defaultValue = "1",
      description = {
        "To how many GPUs machines are entitled for each GPU there is: more than 1 where idle ones",
        "leave theirs to others. Default: ${DEFAULT-VALUE}"
      })
  private BigDecimal overcommit;

  @Option(
      names = "--shared-gpus",
      paramLabel = "N",
      defaultValue = "0",
      description = {
        "How many GPUs of each model are offered by their memory, for flavors with '--memory'.",
        "Default: ${DEFAULT-VALUE}"
      })
  private long shared;

  @Option(
      names = "--packages",
      paramLabel = "FOLDER",
      description = {
        "A folder with packages of the client: machines find each at /packages/NAME of --listen,",
        "without a token. Default: none"
      })
  private Path packages;

  @Mixin private NoticeOptions notices;

  @Mixin private RuleOptions identity;

  @Option(
      names = "--service-role",
      paramLabel = "NAME",
      defaultValue = "service",
      description = "The role of the account with which Nova asks. Default: ${DEFAULT-VALUE}")
  private String serviceRole;

  @Override
  public Integer call() throws Failure {
    ApiAddress address = address();
    CloudRules rules = rules();
    OfferTerms terms = terms();
    Processes.hide();
    LogFormat.usual(System.getenv()).use();
    try {
      Keystone keystone = parent.keystone();
      LeaseOffice office = parent.office();
      Nova nova = new Nova(keystone);
      Placement placement = new Placement(keystone);
      PoolOffer offer = new PoolOffer(placement, nova, terms);
      MachineLeases machines =
          new MachineLeases(placement, offer, office, rules, new LeaseTerms(life, idle));
      MachineWatch watch = new MachineWatch(nova, office, offer, machines, InstantSource.system());
      HeardMachines heard = new HeardMachines(machines, watch, Log::info);
      Optional<NoticeQueue> queue = notices.queue(notice -> heard.hear(notice.machine()));
      MachineEndpoint endpoint =
          new MachineEndpoint(
              keystone,
              machines,
              new TokenExchange(office, rules, InstantSource.system()),
              new StaleMachines(nova, placement, office, offer, machines, watch),
              new ClientPackages(Optional.ofNullable(packages)),
              new RateLimit(RATE, System::nanoTime),
              serviceRole);
      // A machine is known by the pool's providers: Placement has them before Nova may ask.
      watch.look().forEach(Log::info);
      try (HttpServer server = HttpServer.start(address, certificate(address), endpoint)) {
        announce(server);
        heard.start();
        queue.ifPresent(NoticeQueue::start);
        goOn(watch, new OrphanMachines(new LeaseMachines(keystone), office::isOver));
      }
      return 0;
    } catch (IOException e) {
      throw new Failure(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 1;
    }
  }

  private ApiAddress address() {
    try {
      return ApiAddress.parse(listen);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--listen: " + e.getMessage(), e);
    }
  }

  private CloudRules rules() throws Failure {
    try {
      return identity.rules();
    } catch (IOException e) {
      throw new Failure(e);
    }
  }

  private OfferTerms terms() {
    try {
      return parent.terms(overcommit, shared);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private Optional<TlsServer> certificate(ApiAddress address) throws IOException {
    return address.encrypted() ? Optional.of(tls.server()) : Optional.empty();
  }

  private void announce(HttpServer server) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    out.println("vendor data at " + server.uri() + "/v1/vendordata");
    out.flush();
    WatchLoop.ready();
  }

  private void goOn(MachineWatch watch, OrphanMachines orphans) throws InterruptedException {
    WatchLoop loop = new WatchLoop("machines and leases could not be compared");
    while (true) {
      Thread.sleep(interval);
      loop.look(
          () -> {
            watch.look().forEach(Log::info);
            orphans.look().forEach(Log::info);
          });
    }
  }
}
