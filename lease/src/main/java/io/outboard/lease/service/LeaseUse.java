// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.service;

import io.outboard.lease.Outlook;
import java.util.Optional;

/**
 * What a lease is at.
 *
 * @param sessions programs that use it
 * @param away of these, those that have lost their connection
 * @param outlook what somebody may expect who waits for it; none once it has devices
 */
public record LeaseUse(int sessions, long away, Optional<Outlook> outlook) {}
