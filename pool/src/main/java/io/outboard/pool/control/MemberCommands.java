// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.control;

import io.outboard.lease.Form;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.Parameter;
import io.outboard.lease.ServiceClass;
import io.outboard.lease.schedule.LivingLeases;
import java.util.List;

/**
 * Answers members of the socket's group: the requests of a {@code Role.USER}, for the tenant of the
 * member's own name. The rest is the operator's.
 */
final class MemberCommands {
  private final ControlCommands commands;
  private final String tenant;

  MemberCommands(ControlCommands commands, String member) {
    this.commands = commands;
    this.tenant = member;
  }

  /** As {@link ControlCommands#rows}. */
  List<Form> rows(String verb, Form form) throws LeaseException {
    return switch (verb) {
      case "lease" -> commands.rows(verb, asked(form));
      case "explain" -> explained(form);
      case "find", "handover", "renew", "drain", "suspend", "resume", "release" ->
          commands.rows(verb, own(form));
      case "sessions" -> own(commands.rows(verb, form));
      case "leases", "usage", "missed" -> commands.rows(verb, form.with("tenant", tenant));
      case "devices", "joined", "figures" -> commands.rows(verb, form);
      default -> throw new LeaseException("'%s' is the operator's to ask".formatted(verb));
    };
  }

  /** Other tenants' leases are as if they were not there, as in all that a member is told. */
  private List<Form> explained(Form form) throws LeaseException {
    Form about = form.get("id").isEmpty() ? asked(form) : own(form);
    return commands.rows("explain", about).stream().map(row -> row.with("leases", "")).toList();
  }

  private Form asked(Form form) throws LeaseException {
    String wanted = form.get("tenant", LeaseRequest.DEFAULT_TENANT);
    if (!wanted.equals(tenant) && !wanted.equals(LeaseRequest.DEFAULT_TENANT)) {
      throw new LeaseException("%s asks for leases of tenant %1$s alone".formatted(tenant));
    }
    if (Parameter.PRIORITY.of(form, 0) > 0) {
      throw new LeaseException("a priority above 0 is the operator's to ask for");
    }
    if (form.get("class").equals(ServiceClass.GUARANTEED.label())) {
      throw new LeaseException("guaranteed leases are the operator's to ask for");
    }
    if (!form.get("fqan").isEmpty()) {
      throw new LeaseException("somebody has to vouch for an FQAN: it is the operator's to say");
    }
    return form.with("tenant", tenant);
  }

  /** One of another tenant is as if it were not there. */
  private Form own(Form form) throws LeaseException {
    String id = form.get("id");
    if (own(commands.rows("find", new Form().with("id", id))).isEmpty()) {
      throw LivingLeases.missing(id);
    }
    return form;
  }

  private List<Form> own(List<Form> rows) {
    return rows.stream().filter(row -> row.get("tenant").equals(tenant)).toList();
  }
}
