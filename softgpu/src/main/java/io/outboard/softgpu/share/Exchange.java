// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.share;

import io.outboard.wire.Bytes;
import java.io.IOException;

/**
 * How a process with software GPUs hands memory to another one on the machine: requests of {@link
 * #REQUEST} bytes are answered with bytes and a descriptor.
 */
public interface Exchange {
  /** Bytes of a request. */
  int REQUEST = 64;

  /** Bytes of an answer. */
  int ANSWER = 24;

  /** Bytes of the name of a process. */
  int NAME = 16;

  /**
   * Answers requests from now on; called once.
   *
   * @return the name by which others ask
   */
  Bytes open(Responder responder) throws IOException;

  /**
   * Asks another process.
   *
   * @throws IOException if it has gone, or refuses
   */
  Answer ask(Bytes name, byte[] request) throws IOException;

  /** Answers requests; called from any thread. */
  interface Responder {
    /** Returns the grant; null if nothing is granted. */
    Grant grant(byte[] request);
  }

  /**
   * A grant to another process.
   *
   * @param answer {@link #ANSWER} bytes
   * @param descriptor stays the responder's
   * @param ended runs once, when the other process gives it back or ends
   */
  record Grant(byte[] answer, int descriptor, Runnable ended) {}

  /** A grant to this process. */
  interface Answer extends AutoCloseable {
    /** The bytes. */
    byte[] bytes();

    /** The descriptor, which is the asker's to close. */
    int descriptor();

    /** Gives it back. */
    @Override
    void close();
  }
}
