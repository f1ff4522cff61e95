// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.lease;

import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Undo;
import io.outboard.cli.site.Offered;
import io.outboard.cli.site.SiteOrder;
import io.outboard.cli.site.Wanted;
import io.outboard.lease.Form;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Asks sites for a lease, one after the other, until one of them takes the request: a site that
 * refuses, does not answer, or promises more than it has, makes room for the next one. Where none
 * has room the request waits at the best one. One line says which site it is, and why.
 */
final class SiteTrial {
  /** How long a site that says that it has room may take to give it. */
  private static final Duration ROOM = Duration.ofSeconds(10);

  private static final int MOST_REASON = 160;

  private final LeaseClient backend;
  private final Leasing leasing;
  private final Form request;
  private final Wanted wanted;
  private final List<String> passed = new ArrayList<>();

  SiteTrial(LeaseClient backend, Leasing leasing, Form request) {
    this.backend = backend;
    this.leasing = leasing;
    this.request = request;
    this.wanted = Wanted.of(request);
  }

  /**
   * Asks them.
   *
   * @throws Failure if none takes the request; it says why each does not
   */
  LeaseRow ask(List<Offered> offered) throws Failure {
    SiteOrder order = new SiteOrder(wanted, offered);
    List<Offered> waiting = new ArrayList<>(order.later());
    for (Offered one : order.now()) {
      LeaseRow lease = tryAt(one);
      if (lease != null && (isLater() || hasRoom(lease))) {
        return took("takes", one, offered, lease);
      }
      if (lease != null) {
        leasing.release(lease, "another site is asked");
        passed.add(one.site().name() + " has no room though it says so");
        waiting.add(one);
      }
    }
    for (Offered one : waiting) {
      LeaseRow lease = tryAt(one);
      if (lease != null) {
        return took("waits at", one, offered, lease);
      }
    }
    throw new Failure("no site gives such a lease: " + others(offered, List.of()));
  }

  /** None where the site refuses, or is not there. */
  private LeaseRow tryAt(Offered one) {
    backend.use(one.site());
    try {
      return backend.askOne("lease", request);
    } catch (Failure e) {
      String why = e.getMessage();
      String cut = why.substring(0, Math.min(why.length(), MOST_REASON));
      passed.add("%s does not give it: %s".formatted(one.site().name(), cut));
      return null;
    }
  }

  /** A date is waited for at any site. */
  private boolean isLater() {
    return !request.get("begin").isEmpty();
  }

  /** Others may have been quicker, or the offer was a lie. */
  private boolean hasRoom(LeaseRow asked) {
    Undo undo = Undo.atTheEnd(() -> leasing.release(asked, "nobody got it"));
    long end = System.nanoTime() + ROOM.toNanos();
    LeaseRow lease = asked;
    try {
      while (lease.isPending() && System.nanoTime() < end) {
        lease = leasing.look(lease);
      }
      return !lease.isPending();
    } catch (Failure e) {
      return false;
    } finally {
      undo.forget();
    }
  }

  private LeaseRow took(String verb, Offered one, List<Offered> offered, LeaseRow lease) {
    String others = others(offered, List.of(one));
    leasing.tell(
        "%s site %s, which %s%s"
            .formatted(
                verb, one.site().name(), one.fact(wanted), others.isEmpty() ? "" : "; " + others));
    return lease;
  }

  /** A phrase for each that did not take it: what happened with it, or what it offers. */
  private String others(List<Offered> offered, List<Offered> without) {
    return offered.stream()
        .filter(one -> !without.contains(one))
        .map(one -> happened(one).orElseGet(() -> one.words(wanted)))
        .collect(Collectors.joining("; "));
  }

  private Optional<String> happened(Offered one) {
    String name = one.site().name() + " ";
    return passed.stream().filter(said -> said.startsWith(name)).reduce((_, last) -> last);
  }
}
