// SPDX-License-Identifier: Apache-2.0
/**
 * Workers that see and reach nothing of their machine but libraries and devices: whether this
 * machine can have them, what is shown to them, and how they are started.
 */
package io.outboard.backend.confine;
