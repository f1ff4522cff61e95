// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.offer;

import java.math.BigDecimal;

/**
 * How a pool is offered to a cloud.
 *
 * @param pool its name among the pools of the cloud
 * @param aggregate of Nova's hosts whose machines may have the GPUs, by its name
 * @param overcommit how many GPUs machines may be entitled to for each GPU: more than 1 where
 *     machines that do not use theirs leave them to others
 * @param shared how many GPUs of each model are offered by their memory
 */
public record OfferTerms(String pool, String aggregate, BigDecimal overcommit, long shared) {
  /**
   * Checks the figures.
   *
   * @throws IllegalArgumentException if GPUs could be used by nobody, or there are less than none
   */
  public OfferTerms {
    if (overcommit.compareTo(BigDecimal.ONE) < 0 || shared < 0) {
      throw new IllegalArgumentException(
          "machines are entitled to all GPUs of a pool at least, and none or more are shared");
    }
  }
}
