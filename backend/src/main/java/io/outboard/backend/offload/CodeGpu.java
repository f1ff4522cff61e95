// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.offload;

import io.outboard.backend.system.Log;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.client.ClientLibrary;
import io.outboard.communicator.greeting.Peer;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.wire.Bytes;
import io.outboard.wire.Hello;
import io.outboard.wire.Message;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * The daemon's end of the connection by which a worker of code asks for its GPU. Of the worker's
 * words nothing but a byte is read: the greeting is the daemon's own, so that hostile code gets a
 * session for CUDA on its caller's account, once, and nothing else that a greeting can ask for.
 */
final class CodeGpu {
  private final int descriptor;
  private final GpuSessions sessions;
  private final Peer.Principal who;
  private final String program;

  private CodeGpu(int descriptor, GpuSessions sessions, Peer.Principal who, String program) {
    this.descriptor = descriptor;
    this.sessions = sessions;
    this.who = who;
    this.program = program;
  }

  /**
   * Waits for a worker that asks, or for its end.
   *
   * @param program the name of the session's program, for people
   * @return the worker's end, the caller's to close
   */
  static int open(GpuSessions sessions, Peer.Principal who, String program) throws IOException {
    int[] pair = new int[2];
    Errno.check(Sockets.socketpair(pair), "socketpair");
    CodeGpu one = new CodeGpu(pair[0], sessions, who, program);
    Thread.ofPlatform().name("code-gpu").daemon(true).start(one::await);
    return pair[1];
  }

  private void await() {
    try (NativeBuffer asked = new NativeBuffer(1)) {
      if (Posix.read(descriptor, asked.address(), 1) == 1) {
        sessions.begin(descriptor, hello(), who);
      }
    } catch (IOException e) {
      Log.info("a GPU for offloaded code: " + e.getMessage());
    } finally {
      Posix.close(descriptor);
    }
  }

  private Hello hello() {
    return new Hello(
        Message.OLDEST,
        Message.VERSION,
        (int) ProcessHandle.current().pid(),
        Bytes.zero(Message.IDENTITY),
        Bytes.random(Message.NONCE),
        0,
        List.of(ClientLibrary.CUDA.introduction()),
        Collections.unmodifiableSequencedMap(new LinkedHashMap<>()),
        program);
  }
}
