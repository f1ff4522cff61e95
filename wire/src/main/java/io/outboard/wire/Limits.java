// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

/**
 * Every limit of the protocol. A peer that exceeds one has broken the protocol, and its session
 * ends.
 */
public final class Limits {
  /** Largest body of a frame, in bytes. */
  public static final int BODY = (1 << 20) + (64 << 10);

  /** Largest reply, in bytes; one that is larger than a body comes in several frames. */
  public static final int REPLY = 256 << 20;

  /**
   * Largest part of a transfer in one frame, in bytes; longer ones are cut or sent as a payload.
   */
  public static final int CHUNK = 1 << 20;

  /** Most connections for bulk data of a session. */
  public static final int BULK_CONNECTIONS = 8;

  /** Most connections of threads of a session, beside its first one. */
  public static final int THREAD_CONNECTIONS = 16;

  /** Largest payload ahead of a call (a module image, say), in bytes. */
  public static final long PAYLOAD = 2L << 30;

  /** Largest message of the handshake, in bytes. */
  public static final int HANDSHAKE = 64 << 10;

  /** Most threads of one client process that have issued a call and live. */
  public static final int THREADS = 1 << 16;

  /** Most live handles of one kind in a session. */
  public static final int HANDLES = 1 << 20;

  /** Most lanes (contexts) of a session. */
  public static final int LANES = 1 << 10;

  private Limits() {}
}
