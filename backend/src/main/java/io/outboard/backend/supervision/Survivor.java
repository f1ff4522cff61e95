// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.supervision;

import io.outboard.backend.library.Allotment;
import io.outboard.communicator.greeting.Peer;
import io.outboard.wire.Hello;
import java.time.Instant;

/**
 * A session that has outlived its daemon.
 *
 * @param hello what its client said
 * @param opener who has opened it
 * @param lease that it uses; empty where leases were not used
 * @param allotment what it has
 * @param since when it began
 */
public record Survivor(
    Hello hello, Peer.Principal opener, String lease, Allotment allotment, Instant since) {}
