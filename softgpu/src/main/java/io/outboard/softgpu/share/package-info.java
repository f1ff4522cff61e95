// SPDX-License-Identifier: Apache-2.0
/**
 * Memory and events that somebody else has too: the program at its own addresses, or another
 * process. An export has a name that others ask for through the exchange. Imported memory and
 * events end with their context.
 */
package io.outboard.softgpu.share;
