// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.control;

import io.outboard.communicator.greeting.Peer;
import io.outboard.communicator.stream.ControlStream;
import io.outboard.lease.Architecture;
import io.outboard.lease.Form;
import io.outboard.lease.Identity;
import io.outboard.lease.IdleLimits;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseCursor;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseMode;
import io.outboard.lease.LeasePage;
import io.outboard.lease.LeaseQuery;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.LedgerQuery;
import io.outboard.lease.Parameter;
import io.outboard.lease.Placement;
import io.outboard.lease.ServiceClass;
import io.outboard.lease.node.Closing;
import io.outboard.lease.service.LeaseService;
import io.outboard.lease.service.Renewal;
import io.outboard.lease.service.Until;
import io.outboard.lease.store.StoreException;
import io.outboard.pool.broker.Broker;
import io.outboard.pool.broker.BrokerLeases;
import io.outboard.wire.Control;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** Answers what people ask of leases: {@code VERB?FORM} (PROTOCOL.md, Control). */
public final class ControlCommands {
  private final Broker broker;
  private final LeaseService leases;
  private final List<Form> joined;
  private final AccountCommands accounts;
  private final Overview overview;
  private final NodeCommands nodes;
  private final Handovers handovers = new Handovers(new HostDevices(Path.of("/")));

  /** Those of a backend that has joined no other. */
  public ControlCommands(Broker broker) {
    this(broker, List.of());
  }

  /** {@code joined} are the devices of other hosts that programs have too. */
  public ControlCommands(Broker broker, List<Form> joined) {
    this.broker = broker;
    this.leases = new BrokerLeases(broker, () -> {});
    this.joined = joined;
    this.accounts = new AccountCommands(broker.accounts(), broker.tenants());
    this.overview = new Overview(broker);
    this.nodes = new NodeCommands(broker.nodes(), broker.members());
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

  private Stream<Form> found(String label, Form form) throws LeaseException {
    Verb verb = Verb.of(label);
    verb.check(form);
    String id = form.get("id");
    String reason = form.get("reason");
    return switch (verb) {
      case LEASE -> withToken(leases.request(request(form)));
      case EXPLAIN ->
          Stream.of(
              LeaseForm.of(id.isEmpty() ? leases.explain(request(form)) : leases.explain(id)));
      case FIND -> withToken(leases.fetch(id));
      case HANDOVER -> handovers.of(leases.fetch(id));
      case LEASES -> leases(query(form));
      case RELEASE -> row(leases.release(id, reason));
      case REVOKE -> row(leases.revoke(id, reason));
      case DRAIN -> row(leases.drain(id, reason));
      case SUSPEND -> row(leases.suspend(id, until(form.get("until")), reason));
      case RESUME -> row(leases.resume(id));
      case RENEW -> row(leases.renew(id, renewal(form)));
      case USAGE -> usage(LedgerQuery.of(form));
      case MISSED -> broker.missed(LedgerQuery.of(form)).stream().map(LeaseForm::of);
      case TOKEN_CREATE -> accounts.issue(form);
      case TOKENS -> accounts.tokens();
      case TOKEN_REVOKE -> accounts.revoke(id);
      case TENANT_SET -> accounts.set(form);
      case TENANTS -> accounts.tenants();
      case DEVICES -> overview.devices();
      case JOINED -> joined.stream();
      case READMIT -> readmit(form.get("gpu"));
      case CORDON -> cordon(form, reason);
      case UNCORDON -> uncordon(form.get("gpu"));
      case SESSIONS -> overview.sessions();
      case FIGURES -> overview.figures();
      case NODES -> nodes.all();
      case NODE_INVITE -> nodes.invite(form.get("node"));
      case NODE_REMOVE -> nodes.remove(form.get("node"));
    };
  }

  private Stream<Form> readmit(String device) throws LeaseException {
    broker.readmit(device);
    return overview.devices();
  }

  /** From a moment on, where that is said, else now. */
  private Stream<Form> cordon(Form form, String reason) throws LeaseException {
    long from = Parameter.BEGIN.of(form, 0);
    if (from == 0) {
      broker.cordon(form.get("gpu"), reason);
    } else {
      broker.closeFrom(form.get("gpu"), new Closing(Instant.ofEpochMilli(from), reason));
    }
    return overview.devices();
  }

  private Stream<Form> uncordon(String device) throws LeaseException {
    broker.uncordon(device);
    return overview.devices();
  }

  private static Until until(String label) {
    return switch (label) {
      case "" -> Until.RESUMED;
      case "call" -> Until.CALL;
      default -> throw new IllegalArgumentException("nothing is suspended until '" + label + "'");
    };
  }

  /** Each only where it is named. */
  private static Renewal renewal(Form form) {
    int share = Parameter.SHARE.count(form, 0);
    return new Renewal(
        Parameter.SECONDS.seconds(form), share == 0 ? OptionalInt.empty() : OptionalInt.of(share));
  }

  private static LeaseRequest request(Form form) {
    Instant begin = Instant.ofEpochMilli(Parameter.BEGIN.of(form, 0));
    return LeaseRequest.builder()
        .tenant(form.get("tenant", LeaseRequest.DEFAULT_TENANT))
        .consumer(form.get("consumer"))
        .gpus(Parameter.GPUS.count(form, 1))
        .model(form.get("model"))
        .architecture(Architecture.labelled(form.get("arch")))
        .memory(Parameter.MEMORY.of(form, 0))
        .share(Parameter.SHARE.count(form, LeaseRequest.WHOLE))
        .priority(Parameter.PRIORITY.count(form, 0))
        .duration(Parameter.SECONDS.seconds(form).orElse(Duration.ZERO))
        .placement(Placement.of(form.get("placement", Placement.PACK.label())))
        .mostNodes(Parameter.MOST_NODES.count(form, 1))
        .idle(IdleLimits.of(form))
        .identity(Identity.of(form))
        .mode(LeaseMode.of(form.get("mode", LeaseMode.REMOTE.label())))
        .profile(form.get("profile"))
        .grace(Parameter.GRACE.seconds(form))
        .keep(Parameter.KEEP.seconds(form).orElse(LeaseRequest.usualKeep(begin)))
        .service(service(form.get("class")))
        .begin(begin)
        .within(Parameter.WITHIN.seconds(form).orElse(Duration.ZERO))
        .build();
  }

  private static ServiceClass service(String label) {
    return label.isEmpty() ? ServiceClass.SHARED : ServiceClass.of(label);
  }

  private Stream<Form> withToken(Lease lease) {
    Form form = form(lease);
    return Stream.of(
        leases.token(lease).map(token -> form.with("token", token.digits())).orElse(form));
  }

  private Stream<Form> row(Lease lease) {
    return Stream.of(form(lease));
  }

  private Form form(Lease lease) {
    return LeaseForm.of(lease, leases.use(lease));
  }

  /** All that live are one page, unless a limit is named. */
  private static LeaseQuery query(Form form) {
    boolean over = !form.get("all").isEmpty();
    String cursor = form.get("cursor");
    return new LeaseQuery(
        form.get("tenant"),
        over,
        cursor.isEmpty() ? Optional.empty() : Optional.of(LeaseCursor.parse(cursor)),
        Parameter.LIMIT.count(form, over ? LeaseQuery.PAGE : LeaseQuery.LIVING.most()));
  }

  /** The last row of a page names where the next one begins, if there is one. */
  private Stream<Form> leases(LeaseQuery wanted) {
    LeasePage page = leases.page(wanted);
    List<Form> rows = page.leases().stream().map(this::form).toList();
    page.next().ifPresent(next -> rows.getLast().with("next", next));
    return rows.stream();
  }

  private Stream<Form> usage(LedgerQuery wanted) {
    return broker.ledger(wanted).stream().map(LeaseForm::of);
  }
}
