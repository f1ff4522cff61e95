// SPDX-License-Identifier: Apache-2.0
/**
 * Memory and events that somebody else has too: the program at its own addresses, or another
 * process. An export has a name that others ask for through the exchange. What was imported ends
 * with its context.
 */
package io.outboard.softgpu.share;
