// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.lease;

import io.outboard.cli.command.Failure;
import io.outboard.cli.site.OfferReader;
import io.outboard.client.find.Site;
import io.outboard.lease.Form;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Model.CommandSpec;

/** Asks for a lease, waits until it is granted, and gives it back; a person reads how it goes. */
public final class Leasing {
  private static final long LOOK_MS = 500;

  /** Hundreds of gigabytes may be moved. */
  private static final Duration MOVING = Duration.ofMinutes(30);

  private final LeaseClient backend;
  private final CommandSpec spec;

  public Leasing(LeaseClient backend, CommandSpec spec) {
    this.backend = backend;
    this.spec = spec;
  }

  /** Asks for one, at the site that it is to be had of, where there are several. */
  LeaseRow ask(Form request) throws Failure {
    List<Site> sites = backend.choice();
    return sites.isEmpty()
        ? backend.askOne("lease", request)
        : new SiteTrial(backend, this, request).ask(new OfferReader().read(sites));
  }

  /** How it is now. */
  LeaseRow look(LeaseRow lease) throws Failure {
    pause();
    return backend.askOne("find", named(lease));
  }

  /**
   * Waits until programs can use it.
   *
   * @param patience after this the request is given up; none: never
   */
  LeaseRow await(LeaseRow asked, Optional<Duration> patience) throws Failure {
    if (!asked.isPending()) {
      return asked;
    }
    Instant limit = patience.map(time -> Instant.now().plus(time)).orElse(Instant.MAX);
    LeaseRow lease = asked;
    String told = "";
    while (lease.isPending()) {
      if (!lease.outlook().equals(told)) {
        told = lease.outlook();
        tell(told);
      }
      if (Instant.now().isAfter(limit)) {
        release(lease, "not waited for");
        throw new Failure(
            "no GPUs were free within " + patience.orElseThrow().toSeconds() + " seconds");
      }
      lease = look(lease);
    }
    if (!lease.isGranted()) {
      throw new Failure("lease " + lease.id() + " is " + lease.state());
    }
    return lease;
  }

  /** Has it end so long after now. */
  void renew(LeaseRow lease, Duration time) throws Failure {
    LeaseRow unused = backend.askOne("renew", named(lease).with("seconds", time.toSeconds()));
  }

  /** Whether programs may use it, as far as the backend says: one that is silent says nothing. */
  public boolean isGranted(LeaseRow lease) {
    try {
      return backend.askOne("find", named(lease)).isGranted();
    } catch (Failure e) {
      return true;
    }
  }

  /** Whether it has ended, as far as the backend says: one that is silent says nothing. */
  boolean isOver(LeaseRow lease) {
    try {
      return LeaseClient.understood(() -> backend.askOne("find", named(lease)).isOver());
    } catch (Failure e) {
      return false;
    }
  }

  /** Has others have its GPUs; one that cannot be put aside keeps them. */
  void suspend(LeaseRow lease, String why) {
    try {
      LeaseRow unused = backend.askOne("suspend", named(lease).with("reason", why), MOVING);
    } catch (Failure e) {
      tell("lease " + lease.id() + " keeps its GPUs: " + e.getMessage());
    }
  }

  /**
   * Waits until it has GPUs again.
   *
   * @throws Failure if it is over
   */
  void resume(LeaseRow lease) throws Failure {
    LeaseRow now = backend.askOne("find", named(lease));
    String told = "";
    while (now.isSuspended()) {
      try {
        now = backend.askOne("resume", named(lease), MOVING);
      } catch (Failure e) {
        if (!told.equals(e.getMessage())) {
          told = e.getMessage();
          tell("lease " + lease.id() + " waits for GPUs: " + told);
        }
        now = look(lease);
      }
    }
    if (now.isOver()) {
      throw new Failure("lease " + lease.id() + " is " + now.state());
    }
  }

  /** Gives it back, also one that still waits. */
  void release(LeaseRow lease, String why) {
    try {
      LeaseRow unused = backend.askOne("release", named(lease).with("reason", why));
    } catch (Failure e) {
      tell("lease " + lease.id() + " is not given back: " + e.getMessage());
    }
  }

  /** Where its programs connect to: straight to the node that has its devices. */
  public String place(LeaseRow lease) throws Failure {
    return backend.place(lease);
  }

  /** The lines by which a shell's programs use it. */
  List<String> exports(LeaseRow lease) throws Failure {
    return backend.exports(lease);
  }

  /** A line for a person. */
  public void tell(String line) {
    spec.commandLine().getErr().println("outboard: " + line);
    spec.commandLine().getErr().flush();
  }

  /** Lines for the launcher. */
  void print(String lines) {
    spec.commandLine().getOut().println(lines);
    spec.commandLine().getOut().flush();
  }

  private static Form named(LeaseRow lease) {
    return new Form().with("id", lease.id());
  }

  private static void pause() throws Failure {
    try {
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Failure("interrupted");
    }
  }
}
