// SPDX-License-Identifier: Apache-2.0
/**
 * One client's frames, in order: the connection, lanes, calls, handles and callbacks. The thread
 * that reads a frame runs its call, and a watch passes the reading on when a call takes long. It
 * knows libraries by their face alone.
 */
package io.outboard.backend.session;
