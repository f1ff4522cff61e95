// SPDX-License-Identifier: Apache-2.0
/**
 * The daemon process: it listens, greets, decides once who a peer is, and hands each client to a
 * worker. It keeps standby workers and watches those that serve. Connections of strangers are
 * bounded by place and by time.
 */
package io.outboard.backend.daemon;
