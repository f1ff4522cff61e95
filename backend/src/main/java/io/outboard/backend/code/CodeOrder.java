// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.code;

import io.outboard.communicator.posix.Descriptors;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.wire.CodeRequest;
import io.outboard.wire.Native;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/**
 * The daemon's only order to a worker of code.
 *
 * @param client the connection
 * @param jar a file that is open for reading
 * @param gpu a connection by which the daemon is asked for the GPU, and then the GPU's session
 * @param callSeconds for how long a call may run
 * @param request names what is to be opened
 */
public record CodeOrder(int client, int jar, int gpu, int callSeconds, CodeRequest request) {
  private static final int HEAD = 8;

  /** Sends it over the daemon's connection to the worker; the descriptors stay open here. */
  public void send(int worker) throws IOException {
    byte[] said = request.encode();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment message = arena.allocate(HEAD + said.length);
      Native.putInt(message.address(), said.length);
      Native.putInt(message.address() + 4, callSeconds);
      message.asSlice(HEAD).copyFrom(MemorySegment.ofArray(said));
      int[] descriptors = {client, jar, gpu};
      int sent = Descriptors.send(worker, descriptors, message.address(), HEAD);
      Errno.check(sent, "the worker has gone");
      Errno.check(
          Posix.writeAll(worker, message.address() + sent, message.byteSize() - sent),
          "the worker has gone");
    }
  }

  /** Waits for one; none if the daemon has gone. */
  static Optional<CodeOrder> receive(int daemon) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment head = arena.allocate(HEAD);
      int[] descriptors = new int[3];
      if (Descriptors.receive(daemon, descriptors, head.address(), HEAD) < HEAD) {
        return Optional.empty();
      }
      MemorySegment said = arena.allocate(Native.getInt(head.address()));
      for (long got = 0; got < said.byteSize(); ) {
        long bytes = Posix.read(daemon, said.address() + got, said.byteSize() - got);
        if (Errno.check((int) bytes, "the daemon has gone") == 0) {
          throw new EOFException("the daemon has gone");
        }
        got += bytes;
      }
      CodeRequest request = CodeRequest.decode(said.toArray(ValueLayout.JAVA_BYTE));
      return Optional.of(
          new CodeOrder(
              descriptors[0],
              descriptors[1],
              descriptors[2],
              Native.getInt(head.address() + 4),
              request));
    }
  }
}
