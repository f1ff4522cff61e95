// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.lease;

import io.outboard.api.json.Ordered;
import io.outboard.cli.command.Answer;
import io.outboard.cli.command.Line;
import io.outboard.cli.command.Quantities;
import io.outboard.lease.Form;
import io.outboard.lease.LeaseMode;
import io.outboard.lease.LeaseState;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A lease as the backend describes it. */
public record LeaseRow(Form form) {
  private static final String ROW = "%-13s %-10s %-10s %4s %-32s %10s %6s %8s  %s";
  private static final DateTimeFormatter LOCAL =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss xxx");

  /**
   * A table of leases, and the same as JSON.
   *
   * @param since whether it has a column with the moment since when they had devices
   */
  static Answer table(List<LeaseRow> leases, boolean since) {
    String heading =
        ROW.formatted(
            "lease", "tenant", "state", "GPUs", "model", "memory", "share", "sessions", "until");
    return Answer.listing(
        leases.stream().map(LeaseRow::json).toList(),
        since ? "%-27s".formatted("since") + heading : heading,
        leases.stream()
            .map(lease -> new Line((since ? lease.since() : "") + lease.row(), lease.kind())));
  }

  private String since() {
    long moment = form.number("granted", 0);
    return "%-27s".formatted(moment == 0 ? "-" : time(moment));
  }

  /** The row of a table. */
  String row() {
    return ROW.formatted(
            id(),
            form.get("tenant"),
            state(),
            form.get("gpus"),
            model("-"),
            memory(),
            share(),
            sessions(),
            until())
        .stripTrailing();
  }

  /** Stands out where somebody waits for something, or does not have what was granted. */
  private Line.Kind kind() {
    return switch (state()) {
      case "requested", "held", "draining" -> Line.Kind.NOTICE;
      case "revoked" -> Line.Kind.ALARM;
      default -> Line.Kind.ROW;
    };
  }

  /** How many, and how many of them have lost their connection. */
  private String sessions() {
    long away = form.number("away", 0);
    return form.get("sessions") + (away == 0 ? "" : " (" + away + " away)");
  }

  public String id() {
    return form.get("id");
  }

  public String state() {
    return form.get("state");
  }

  public boolean isWaiting() {
    return state().equals("requested");
  }

  /** Whether others may have its GPUs. */
  boolean isSuspended() {
    return LeaseState.of(state()).isSuspended();
  }

  /** Whether it has ended. */
  boolean isOver() {
    return LeaseState.of(state()).isEnd();
  }

  /** Whether programs cannot use it yet: it waits, or its node has not taken it. */
  boolean isPending() {
    return isWaiting() || (isGranted() && !handsOver() && !isServed());
  }

  /** Where its programs connect to, if that is another node; empty otherwise. */
  String backend() {
    return form.get("backend");
  }

  /** Whether it has a token, with which programs use its devices. */
  boolean isServed() {
    return !token().isEmpty();
  }

  /** Whether its devices are for others than this backend's programs. */
  public boolean handsOver() {
    return LeaseMode.of(form.get("mode")).handsOver();
  }

  /** Whether it has devices. */
  public boolean isGranted() {
    return !uuids().isEmpty();
  }

  public String token() {
    return form.get("token");
  }

  String reason() {
    return form.get("reason");
  }

  /**
   * None for sessions without a lease, which share; in place of it that devices are handed over.
   */
  public String share() {
    if (handsOver()) {
      return form.get("mode");
    }
    long share = form.number("share", 0);
    return share == 0 ? "-" : Quantities.share(share);
  }

  /** Of the GPUs that it has, or wants; a lease that has none any more wants none. */
  private String model(String none) {
    return Stream.of(form.get("model"), form.get("wanted"), none)
        .filter(name -> !name.isEmpty())
        .findFirst()
        .orElseThrow();
  }

  private String memory() {
    long bytes = form.number("memory", 0);
    return bytes == 0 ? "-" : Quantities.size(bytes);
  }

  /** When it ends at the latest, if it ends by itself. */
  public String until() {
    long moment = form.number("expires", 0);
    return moment == 0 ? "-" : time(moment);
  }

  /** A sentence about one that waits: for what, behind how many, until when at least. */
  String outlook() {
    if (!isWaiting()) {
      return "lease %s waits for its node %s".formatted(id(), form.get("nodes"));
    }
    long begin = form.number("begin", 0);
    if (begin > System.currentTimeMillis()) {
      return "lease %s has %s x %s from %s on"
          .formatted(id(), form.get("gpus"), model("GPU"), time(begin));
    }
    long place = form.number("place", 0);
    long free = form.number("free", 0);
    return "lease %s waits for %s x %s, %s of %s%s"
        .formatted(
            id(),
            form.get("gpus"),
            model("GPU"),
            place,
            form.get("waiting"),
            free == 0 ? "" : "; the first that fits is leased until " + time(free));
  }

  /** A sentence. */
  public String sentence() {
    List<String> parts =
        List.of(
            "lease " + id() + " is " + state() + (reason().isEmpty() ? "" : " (" + reason() + ")"),
            form.get("gpus") + " x " + model("GPU"),
            "memory " + (form.number("memory", 0) == 0 ? "by share" : memory()),
            handsOver() ? "handed over whole" : "share " + share(),
            "until " + until());
    return String.join(", ", parts);
  }

  /** An object of JSON. */
  public Map<String, Object> json() {
    return Ordered.of(
        "id",
        id(),
        "tenant",
        form.get("tenant"),
        "consumer",
        form.get("consumer"),
        "state",
        state(),
        "reason",
        reason(),
        "epoch",
        form.number("epoch", 0),
        "gpus",
        form.number("gpus", 0),
        "nodes",
        form.words("nodes"),
        "uuids",
        uuids(),
        "model",
        form.get("model"),
        "arch",
        form.get("arch"),
        "memory",
        form.number("memory", 0),
        "share",
        Quantities.decimal(form.number("share", 0)),
        "mode",
        form.get("mode"),
        "profile",
        form.get("profile"),
        "priority",
        form.number("priority", 0),
        "class",
        form.get("class", "shared"),
        "begin",
        utc("begin"),
        "due",
        utc("due"),
        "sessions",
        form.number("sessions", 0),
        "away",
        form.number("away", 0),
        "grace",
        form.get("grace").isEmpty() ? null : form.number("grace", 0),
        "idleSuspend",
        form.number("idleSuspend", 0),
        "idleRevoke",
        form.number("idleRevoke", 0),
        "requested",
        utc("requested"),
        "granted",
        utc("granted"),
        "expires",
        utc("expires"));
  }

  List<String> uuids() {
    return form.words("uuids");
  }

  private String utc(String name) {
    long moment = form.number(name, 0);
    return moment == 0 ? null : utc(moment);
  }

  /** A moment for machines: ISO 8601, in UTC. */
  public static String utc(long moment) {
    return Instant.ofEpochMilli(moment).truncatedTo(ChronoUnit.MILLIS).toString();
  }

  /** A moment for people, in their time. */
  public static String time(long moment) {
    return LOCAL.format(Instant.ofEpochMilli(moment).atZone(ZoneId.systemDefault()));
  }
}
