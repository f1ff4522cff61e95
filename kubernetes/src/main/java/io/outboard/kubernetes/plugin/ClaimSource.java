// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.plugin;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Knows claims and the credentials of their leases. */
@FunctionalInterface
public interface ClaimSource {
  /**
   * A claim whose lease has GPUs.
   *
   * @throws IOException if there is none of that unique name, or it has no lease, or the cluster
   *     does not answer
   */
  Prepared find(String namespace, String name, String uid) throws IOException;

  /**
   * A claim that containers can use.
   *
   * @param places as the scheduler has given them
   * @param variables of containers, by which programs find their lease
   */
  record Prepared(List<Place> places, Map<String, String> variables) {
    /** Copies. */
    public Prepared {
      places = List.copyOf(places);
      variables = new LinkedHashMap<>(variables);
    }
  }

  /**
   * A device of a claim.
   *
   * @param request of the claim, for which it is
   * @param share which part of a shared one; empty for none
   */
  record Place(String request, String pool, String device, String share) {}
}
