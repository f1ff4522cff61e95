// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.site;

import io.outboard.lease.Form;
import io.outboard.lease.LeaseRequest;

/**
 * The part of a request that an offer can be held against; all else its site decides itself.
 *
 * @param gpus how many
 * @param model a part of their name, or empty
 * @param memory bytes of each; 0 where the share says it
 * @param share thousandths of each
 */
public record Wanted(long gpus, String model, long memory, long share) {
  /** That of a request of a lease. */
  public static Wanted of(Form request) {
    return new Wanted(
        request.number("gpus", 1),
        request.get("model"),
        request.number("memory", 0),
        request.number("share", LeaseRequest.WHOLE));
  }

  /** Any GPU. */
  public static Wanted any() {
    return of(new Form());
  }

  boolean isWhole() {
    return share >= LeaseRequest.WHOLE;
  }
}
