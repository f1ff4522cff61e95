// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.control;

import static io.outboard.lease.Parameter.AFTER;
import static io.outboard.lease.Parameter.ALL;
import static io.outboard.lease.Parameter.ARCH;
import static io.outboard.lease.Parameter.BEGIN;
import static io.outboard.lease.Parameter.BUDGET;
import static io.outboard.lease.Parameter.CLASS;
import static io.outboard.lease.Parameter.CONSUMER;
import static io.outboard.lease.Parameter.CONSUMER_ID;
import static io.outboard.lease.Parameter.CONSUMER_TYPE;
import static io.outboard.lease.Parameter.CURSOR;
import static io.outboard.lease.Parameter.FQAN;
import static io.outboard.lease.Parameter.GPU;
import static io.outboard.lease.Parameter.GPUS;
import static io.outboard.lease.Parameter.GRACE;
import static io.outboard.lease.Parameter.ID;
import static io.outboard.lease.Parameter.IDLE_REVOKE;
import static io.outboard.lease.Parameter.IDLE_SUSPEND;
import static io.outboard.lease.Parameter.KEEP;
import static io.outboard.lease.Parameter.LIMIT;
import static io.outboard.lease.Parameter.MEMORY;
import static io.outboard.lease.Parameter.MODE;
import static io.outboard.lease.Parameter.MODEL;
import static io.outboard.lease.Parameter.MOST_NODES;
import static io.outboard.lease.Parameter.NAME;
import static io.outboard.lease.Parameter.NODE;
import static io.outboard.lease.Parameter.NOTE;
import static io.outboard.lease.Parameter.PLACEMENT;
import static io.outboard.lease.Parameter.PRIORITY;
import static io.outboard.lease.Parameter.PROFILE;
import static io.outboard.lease.Parameter.REASON;
import static io.outboard.lease.Parameter.ROLE;
import static io.outboard.lease.Parameter.SECONDS;
import static io.outboard.lease.Parameter.SHARE;
import static io.outboard.lease.Parameter.SINCE;
import static io.outboard.lease.Parameter.SITE;
import static io.outboard.lease.Parameter.TENANT;
import static io.outboard.lease.Parameter.UNTIL;
import static io.outboard.lease.Parameter.USER;
import static io.outboard.lease.Parameter.WITHIN;

import io.outboard.lease.Form;
import io.outboard.lease.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** What can be asked, each with what it takes; all of that may be missing. */
public enum Verb {
  LEASE("lease", Wanted.OF_A_LEASE),
  /** Why the lease that is named waits; or else such a one as {@link #LEASE} would ask for. */
  EXPLAIN("explain", Wanted.OF_ONE_OR_ITS_ID),
  FIND("find", ID),
  HANDOVER("handover", ID),
  LEASES("leases", ALL, TENANT, CURSOR, LIMIT),
  RELEASE("release", ID, REASON),
  REVOKE("revoke", ID, REASON),
  DRAIN("drain", ID, REASON),
  SUSPEND("suspend", ID, REASON, UNTIL),
  RESUME("resume", ID, REASON),
  RENEW("renew", ID, SECONDS, SHARE),
  USAGE("usage", SINCE, AFTER, TENANT, LIMIT),
  MISSED("missed", SINCE, AFTER, TENANT, LIMIT),
  TOKEN_CREATE("token-create", ROLE, TENANT, USER, FQAN, NOTE, SECONDS),
  TOKENS("tokens"),
  TOKEN_REVOKE("token-revoke", ID),
  TENANT_SET("tenant-set", NAME, BUDGET),
  TENANTS("tenants"),
  DEVICES("devices"),
  JOINED("joined"),
  READMIT("readmit", GPU),
  CORDON("cordon", GPU, REASON, BEGIN),
  UNCORDON("uncordon", GPU),
  SESSIONS("sessions"),
  FIGURES("figures"),
  NODES("nodes"),
  NODE_INVITE("node-invite", NODE),
  NODE_REMOVE("node-remove", NODE);

  /** In a class of its own, since values of an enumeration cannot name its constants. */
  private static final class Wanted {
    static final Parameter[] OF_A_LEASE = {
      TENANT,
      CONSUMER,
      GPUS,
      MODEL,
      ARCH,
      MEMORY,
      SHARE,
      PRIORITY,
      SECONDS,
      PLACEMENT,
      MOST_NODES,
      IDLE_SUSPEND,
      IDLE_REVOKE,
      CONSUMER_TYPE,
      CONSUMER_ID,
      USER,
      FQAN,
      SITE,
      MODE,
      PROFILE,
      GRACE,
      KEEP,
      CLASS,
      BEGIN,
      WITHIN
    };

    static final Parameter[] OF_ONE_OR_ITS_ID =
        Stream.concat(Stream.of(ID), Stream.of(OF_A_LEASE)).toArray(Parameter[]::new);
  }

  private final String label;

  @SuppressWarnings("ImmutableEnumChecker") // A copy.
  private final List<Parameter> parameters;

  Verb(String label, Parameter... parameters) {
    this.label = label;
    this.parameters = List.of(parameters);
  }

  /** Its name in requests. */
  public String label() {
    return label;
  }

  /** What it takes. */
  public List<Parameter> parameters() {
    return parameters;
  }

  /**
   * The one of a label.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Verb of(String label) {
    return Arrays.stream(values())
        .filter(verb -> verb.label.equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no request '" + label + "'"));
  }

  /**
   * Checks a form of it, before anything is done.
   *
   * @throws IllegalArgumentException if it has what this does not take, or a value that is not
   *     permitted
   */
  public void check(Form form) {
    Parameter.check(form, parameters);
  }
}
