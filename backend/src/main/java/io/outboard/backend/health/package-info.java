// SPDX-License-Identifier: Apache-2.0
/**
 * Whether devices work, and what they do: failures, utilisation, memory, temperature and power. A
 * process of its own listens to the vendor's library, since a lost device holds its caller up. The
 * daemon reads that process's lines.
 */
package io.outboard.backend.health;
