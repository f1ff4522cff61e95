// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import io.outboard.pool.bound.SessionLimits;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How many programs {@code serve} lets run at a time. */
final class SessionOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--lease-sessions",
      paramLabel = "N",
      description = {
        "Most programs of one lease at a time; the next is refused. Default: ${DEFAULT-VALUE}"
      })
  private int ofLease = SessionLimits.USUAL.ofLease();

  @Option(
      names = "--tenant-sessions",
      paramLabel = "N",
      description = {
        "Most programs of one tenant at a time, of its leases together. The operator's own",
        "programs without a lease are not counted. Default: ${DEFAULT-VALUE}"
      })
  private int ofTenant = SessionLimits.USUAL.ofTenant();

  SessionLimits limits() {
    try {
      return new SessionLimits(ofLease, ofTenant);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
