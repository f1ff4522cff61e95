// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.code;

import io.outboard.communicator.posix.Descriptors;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.wire.Bytes;
import io.outboard.wire.CodeRequest;
import io.outboard.wire.Native;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The daemon's only order to a worker of code.
 *
 * @param client the connection
 * @param jar a file that is open for reading
 * @param gpu a connection by which the daemon is asked for the GPU, and then the GPU's session
 * @param device which of that session's devices the code has, from 0
 * @param calls the page of calls that run
 * @param callSeconds for how long a call may run
 * @param signers the certificates one of which has to have signed the jar, by their SHA-256; none
 *     where the jar itself is listed
 * @param request names what is to be opened
 */
public record CodeOrder(
    int client,
    int jar,
    int gpu,
    int device,
    int calls,
    int callSeconds,
    Optional<Set<Bytes>> signers,
    CodeRequest request) {
  private static final int HEAD = 16;
  private static final int NO_SIGNATURE = -1;

  /** Sends it over the daemon's connection to the worker; the descriptors stay open here. */
  public void send(int worker) throws IOException {
    byte[] said = said();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment message = arena.allocate(HEAD + said.length);
      Native.putInt(message.address(), said.length);
      Native.putInt(message.address() + 4, callSeconds);
      Native.putInt(message.address() + 8, signers.map(Set::size).orElse(NO_SIGNATURE));
      Native.putInt(message.address() + 12, device);
      message.asSlice(HEAD).copyFrom(MemorySegment.ofArray(said));
      int[] descriptors = {client, jar, gpu, calls};
      int sent = Descriptors.send(worker, descriptors, message.address(), HEAD);
      Errno.check(sent, "the worker has gone");
      Errno.check(
          Posix.writeAll(worker, message.address() + sent, message.byteSize() - sent),
          "the worker has gone");
    }
  }

  /** The signers, then the request. */
  private byte[] said() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    signers.orElse(Set.of()).forEach(one -> out.writeBytes(one.toArray()));
    out.writeBytes(request.encode());
    return out.toByteArray();
  }

  /** Waits for one; none if the daemon has gone. */
  static Optional<CodeOrder> receive(int daemon) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment head = arena.allocate(HEAD);
      int[] descriptors = new int[4];
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
      ByteBuffer in = ByteBuffer.wrap(said.toArray(ValueLayout.JAVA_BYTE));
      int callSeconds = Native.getInt(head.address() + 4);
      Optional<Set<Bytes>> signers = signers(in, Native.getInt(head.address() + 8));
      CodeRequest request = CodeRequest.decode(taken(in, in.remaining()));
      return Optional.of(
          new CodeOrder(
              descriptors[0],
              descriptors[1],
              descriptors[2],
              Native.getInt(head.address() + 12),
              descriptors[3],
              callSeconds,
              signers,
              request));
    }
  }

  private static Optional<Set<Bytes>> signers(ByteBuffer in, int count) {
    if (count == NO_SIGNATURE) {
      return Optional.empty();
    }
    Set<Bytes> signers = new HashSet<>();
    for (int i = 0; i < count; i++) {
      signers.add(Bytes.of(taken(in, CodeRequest.DIGEST)));
    }
    return Optional.of(signers);
  }

  private static byte[] taken(ByteBuffer in, int count) {
    byte[] bytes = new byte[count];
    in.get(bytes);
    return bytes;
  }
}
