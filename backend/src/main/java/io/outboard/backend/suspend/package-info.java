// SPDX-License-Identifier: Apache-2.0
/**
 * Putting a session's device memory aside and bringing it back. The software GPU spills its memory
 * to a file; a vendor's driver is told by another process to checkpoint the worker. A device may be
 * another one afterwards.
 */
package io.outboard.backend.suspend;
