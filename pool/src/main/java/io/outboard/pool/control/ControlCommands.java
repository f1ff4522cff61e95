// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.control;

import io.outboard.communicator.greeting.Peer;
import io.outboard.communicator.stream.ControlStream;
import io.outboard.pool.broker.Broker;
import io.outboard.pool.lease.Architecture;
import io.outboard.pool.lease.Form;
import io.outboard.pool.lease.Identity;
import io.outboard.pool.lease.IdleLimits;
import io.outboard.pool.lease.Lease;
import io.outboard.pool.lease.LeaseException;
import io.outboard.pool.lease.LeaseMode;
import io.outboard.pool.lease.LeaseRequest;
import io.outboard.pool.lease.LeaseState;
import io.outboard.pool.lease.LedgerQuery;
import io.outboard.pool.lease.Placement;
import io.outboard.pool.schedule.LivingLeases;
import io.outboard.pool.store.StoreException;
import io.outboard.wire.Control;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Answers what people ask of leases: {@code VERB?FORM} (PROTOCOL.md, Control). */
public final class ControlCommands {
  private static final int MOST_OVER = 1_000;

  /** Less than a client waits for a message. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Broker broker;
  private final AccountCommands accounts;
  private final Overview overview;
  private final Handovers handovers = new Handovers(new HostDevices(Path.of("/")));

  public ControlCommands(Broker broker) {
    this.broker = broker;
    this.accounts = new AccountCommands(broker.accounts(), broker.tenants());
    this.overview = new Overview(broker);
  }

  /** Answers a request, of the operator or of a member of the socket's group. */
  public void answer(String request, Peer.Controller who, ControlStream to) throws IOException {
    Control end = end(request, who, to);
    to.send(end.kind(), end.text());
  }

  private Control end(String request, Peer.Controller who, ControlStream to) throws IOException {
    try {
      int middle = request.indexOf('?');
      String verb = middle < 0 ? request : request.substring(0, middle);
      Form form = Form.parse(middle < 0 ? "" : request.substring(middle + 1));
      List<Form> rows =
          switch (who) {
            case Peer.Operator _ -> rows(verb, form);
            case Peer.Member member -> new MemberCommands(this, member.name()).rows(verb, form);
          };
      for (Form row : rows) {
        to.send(Control.Kind.ROW, row.toString());
      }
      return new Control(Control.Kind.DONE, "");
    } catch (IllegalArgumentException e) {
      return new Control(Control.Kind.MISUSED, e.getMessage());
    } catch (LeaseException | StoreException e) {
      return new Control(Control.Kind.FAILED, e.getMessage());
    }
  }

  /**
   * The rows of an answer.
   *
   * @throws IllegalArgumentException if the request is none
   */
  public List<Form> rows(String verb, Form form) throws LeaseException {
    List<Form> rows = found(verb, form).toList();
    broker.settle();
    return rows;
  }

  private Stream<Form> found(String verb, Form form) throws LeaseException {
    String id = form.get("id");
    String reason = form.get("reason");
    return switch (verb) {
      case "lease" -> withToken(broker.request(request(form)));
      case "find" -> withToken(broker.find(id));
      case "handover" -> handovers.of(broker.find(id));
      case "leases" -> leases(!form.get("all").isEmpty());
      case "release" -> row(broker.end(id, LeaseState.RELEASED, reason));
      case "revoke" -> row(broker.end(id, LeaseState.REVOKED, reason));
      case "drain" -> row(broker.drain(id, reason));
      case "suspend" -> row(suspend(id, form.get("until"), reason));
      case "resume" -> row(broker.suspensions().resume(id, PATIENCE));
      case "renew" -> row(renew(id, form));
      case "usage" -> usage(LedgerQuery.of(form));
      case "token-create" -> accounts.issue(form);
      case "tokens" -> accounts.tokens();
      case "token-revoke" -> accounts.revoke(id);
      case "tenant-set" -> accounts.set(form);
      case "tenants" -> accounts.tenants();
      case "devices" -> overview.devices();
      case "readmit" -> readmit(form.get("gpu"));
      case "sessions" -> overview.sessions();
      case "figures" -> overview.figures();
      default -> throw new IllegalArgumentException("there is no request '" + verb + "'");
    };
  }

  private Stream<Form> readmit(String device) throws LeaseException {
    broker.readmit(device);
    return overview.devices();
  }

  private Lease suspend(String id, String until, String reason) throws LeaseException {
    return switch (until) {
      case "" -> broker.suspensions().hold(id, PATIENCE, reason);
      case "call" -> broker.suspensions().suspend(id, PATIENCE, reason);
      default -> throw new IllegalArgumentException("nothing is suspended until '" + until + "'");
    };
  }

  /** Each only where it is named. */
  private Lease renew(String id, Form form) throws LeaseException {
    Lease lease = broker.find(id);
    if (!form.get("share").isEmpty()) {
      lease = broker.share(id, share(form.number("share", 0)));
    }
    return form.get("seconds").isEmpty() && !form.get("share").isEmpty()
        ? lease
        : broker.renew(id, Duration.ofSeconds(form.number("seconds", 0)));
  }

  private static LeaseRequest request(Form form) {
    return new LeaseRequest(
        form.get("tenant", LeaseRequest.DEFAULT_TENANT),
        form.get("consumer"),
        Math.toIntExact(form.number("gpus", 1)),
        form.get("model"),
        Architecture.labelled(form.get("arch")),
        form.number("memory", 0),
        share(form.number("share", LeaseRequest.WHOLE)),
        Math.toIntExact(form.number("priority", 0)),
        Duration.ofSeconds(form.number("seconds", 0)),
        Placement.of(form.get("placement", Placement.PACK.label())),
        IdleLimits.of(form),
        Identity.of(form),
        LeaseMode.of(form.get("mode", LeaseMode.REMOTE.label())),
        form.get("profile"),
        grace(form));
  }

  /** Empty for the backend's. */
  private static Optional<Duration> grace(Form form) {
    return form.get("grace").isEmpty()
        ? Optional.empty()
        : Optional.of(Duration.ofSeconds(form.number("grace", 0)));
  }

  private static int share(long thousandths) {
    if (thousandths < 1 || thousandths > LeaseRequest.WHOLE) {
      throw new IllegalArgumentException("a share is more than 0 and at most 1");
    }
    return Math.toIntExact(thousandths);
  }

  private Stream<Form> withToken(Lease lease) {
    Form form = form(lease);
    return Stream.of(
        LivingLeases.isServed(lease) ? form.with("token", broker.token(lease).digits()) : form);
  }

  private Stream<Form> row(Lease lease) {
    return Stream.of(form(lease));
  }

  private Form form(Lease lease) {
    return LeaseForm.of(lease, broker.sessions(lease), broker.away(lease));
  }

  private Stream<Form> leases(boolean all) {
    List<Lease> over = all ? broker.over(MOST_OVER) : List.of();
    return Stream.concat(broker.alive().stream(), over.stream()).flatMap(this::row);
  }

  private Stream<Form> usage(LedgerQuery wanted) {
    return broker.ledger(wanted).stream().map(LeaseForm::of);
  }
}
