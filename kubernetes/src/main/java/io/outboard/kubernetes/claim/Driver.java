// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.claim;

import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.outboard.kubernetes.resource.Words;
import java.util.List;

/** The names that claims and slices know, and the part of a claim that is this driver's. */
public final class Driver {
  public static final String NAME = "gpu." + Words.GROUP;

  /** The pool of all slices: it is one lease office's. */
  static final String POOL = "outboard";

  /** The condition without which no pod of a claim is bound to a node. */
  static final String LEASED = Words.GROUP + "/leased";

  /** The condition with which the scheduler takes the devices back. */
  static final String REFUSED = Words.GROUP + "/refused";

  private Driver() {}

  /** The places that the scheduler has given a claim; none before. */
  public static List<DeviceRequestAllocationResult> results(ResourceClaim claim) {
    if (claim.getStatus() == null
        || claim.getStatus().getAllocation() == null
        || claim.getStatus().getAllocation().getDevices() == null) {
      return List.of();
    }
    return claim.getStatus().getAllocation().getDevices().getResults().stream()
        .filter(result -> NAME.equals(result.getDriver()))
        .toList();
  }

  /** The lease of a claim, and the secret with its credentials. */
  public static String name(String uid) {
    return "claim-" + uid;
  }
}
