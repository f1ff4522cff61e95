// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.stream;

/**
 * The bytes of a session, both ways: over a socket, or over shared memory beside one. One thread at
 * a time reads and one writes; nothing is allocated for either.
 */
public interface ByteStream {
  /**
   * Waits for bytes and reads up to {@code bytes} of them.
   *
   * @return how many; 0 at the end; a negated error number (see {@code Errno})
   * @throws io.outboard.wire.ProtocolException if the peer broke the rules of the medium
   */
  long read(long address, long bytes);

  /** Whether a read would return at once; any thread may ask. */
  boolean ready();

  /**
   * By the reader, which does not read for a while: whether the peer is to end the sleep of {@link
   * #attend}. Nothing is to be said where that ends anyway.
   */
  default void attended(boolean on) {}

  /**
   * Sleeps until something may have come, for some time at most. For one thread beside the reader,
   * while that does not read; it may return too soon.
   *
   * @return false, at once, where nobody can wait beside the reader
   */
  default boolean attend() {
    return false;
  }

  /**
   * Writes up to {@code bytes} bytes; waits while there is no room.
   *
   * @return how many, at least 0; a negated error number
   * @throws io.outboard.wire.ProtocolException if the peer broke the rules of the medium
   */
  long write(long address, long bytes);

  /**
   * Takes the next descriptor that the peer has passed beside the bytes; never waits.
   *
   * @return the caller's to close, or −1 where there is none
   */
  default int descriptor() {
    return -1;
  }

  /** How many further streams lie beside this one, for its client to use. */
  default int further() {
    return 0;
  }

  /**
   * One of the further streams. It ends with this one, whose socket and memory it uses.
   *
   * @param number from 0 on
   */
  default ByteStream further(int number) {
    throw new IndexOutOfBoundsException(number);
  }

  /** Bytes that the peer has written in all, read or not; any thread may ask. */
  default long arrived() {
    throw new UnsupportedOperationException("a stream that nobody else looks at");
  }

  /** Ends both directions: whoever reads or writes here, or there, returns. Any thread may. */
  void shutdown();

  /** Frees it; nobody reads or writes any more. */
  void close();
}
