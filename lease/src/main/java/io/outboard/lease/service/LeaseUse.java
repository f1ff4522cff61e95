// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.service;

import io.outboard.lease.Outlook;
import java.util.List;
import java.util.Optional;

/**
 * What a lease is at.
 *
 * @param sessions programs that use it
 * @param away of these, those that have lost their connection
 * @param outlook what somebody may expect who waits for it; none once it has devices
 * @param endpoints where its programs connect to, if that is another node; empty otherwise
 */
public record LeaseUse(int sessions, long away, Optional<Outlook> outlook, List<String> endpoints) {
  /** Copies the list. */
  public LeaseUse {
    endpoints = List.copyOf(endpoints);
  }
}
