// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.lease;

import io.outboard.api.json.Ordered;
import io.outboard.cli.command.Answer;
import io.outboard.cli.command.Quantities;
import io.outboard.lease.Form;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Why a request waits, as the backend says it. */
record ExplanationRow(Form form) {
  /** For people and for machines. */
  Answer answer() {
    return Answer.of(
        Ordered.of(
            "cause",
            form.get("cause"),
            "why",
            form.get("why"),
            "earliest",
            earliest() == 0 ? null : LeaseRow.utc(earliest()),
            "leases",
            form.words("leases"),
            "devices",
            form.words("devices"),
            "most",
            form.number("most", 0),
            "share",
            Quantities.decimal(form.number("share", 0)),
            "longest",
            form.number("longest", 0)),
        lines());
  }

  private long earliest() {
    return form.number("earliest", 0);
  }

  private List<String> lines() {
    if (form.get("cause").isEmpty()) {
      return List.of("granted now: GPUs " + form.get("devices"));
    }
    List<String> lines = new ArrayList<>();
    String whose = form.get("leases");
    lines.add("waits: " + form.get("why") + (whose.isEmpty() ? "" : " (leases " + whose + ")"));
    lines.add(
        earliest() == 0
            ? "nobody knows when it has its GPUs"
            : "has its GPUs at the latest at " + LeaseRow.time(earliest()));
    lines.add("could be had now: " + now());
    return lines;
  }

  private String now() {
    List<String> parts = new ArrayList<>();
    long most = form.number("most", 0);
    long share = form.number("share", 0);
    long longest = form.number("longest", 0);
    if (most > 0) {
      parts.add(most + " GPUs on as many nodes as it may have");
    }
    if (share > 0) {
      parts.add("a share of " + Quantities.share(share));
    }
    if (longest > 0) {
      parts.add("its GPUs for " + Duration.ofSeconds(longest).toMinutes() + " min");
    }
    return parts.isEmpty() ? "nothing of that kind" : String.join(", or ", parts);
  }
}
