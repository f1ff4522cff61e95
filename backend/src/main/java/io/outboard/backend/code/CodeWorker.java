// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.code;

import io.outboard.backend.confine.Confinement;
import io.outboard.backend.system.Log;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.backend.system.ProcessHardening;
import io.outboard.backend.system.StderrGuard;
import io.outboard.backend.system.WorkerFilter;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.socket.AbstractSocket;
import io.outboard.communicator.stream.MessageStream;
import io.outboard.communicator.stream.SocketStream;
import io.outboard.offload.service.Dispatcher;
import io.outboard.offload.service.Provided;
import io.outboard.offload.service.Service;
import io.outboard.wire.Bytes;
import io.outboard.wire.CodeAnswer;
import io.outboard.wire.CodeRequest;
import io.outboard.wire.Native;
import io.outboard.wire.Refusal;
import io.outboard.wire.Sha256;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.Set;

/**
 * The main class of a worker of code: a starter has confined it. It waits for one client, runs what
 * the client calls, and ends with it.
 */
public final class CodeWorker {
  private static final int FAILED = 1;
  private static final int TIMEOUT_MS = 5_000;

  private CodeWorker() {}

  /**
   * Runs one.
   *
   * @param arguments the name of the daemon's private socket
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    StderrGuard.install();
    ProcessHardening.confine();
    AbstractSocket.connect(Confinement.CONNECTION, arguments[0]);
    WorkerFilter.requireOfCode();
    Optional<CodeOrder> order = CodeOrder.receive(Confinement.CONNECTION);
    // The daemon's words are said, and code that takes this process over cannot answer.
    Posix.close(Confinement.CONNECTION);
    int status = order.isEmpty() || serve(order.get()) ? 0 : FAILED;
    Runtime.getRuntime().halt(status);
  }

  /** Whether it ended as it should. */
  private static boolean serve(CodeOrder order) throws IOException, InterruptedException {
    MessageStream messages = new MessageStream(order.client(), TIMEOUT_MS);
    OwnGpu gpu = new OwnGpu(order.gpu(), order.device());
    Dispatcher dispatcher;
    try {
      dispatcher = open(order, gpu);
    } catch (IOException | RuntimeException | LinkageError e) {
      String why = "the code is not opened: " + Dispatcher.bounded(e.toString());
      Log.info(why);
      messages.send(new Refusal(Refusal.CODE, why).encode());
      return false;
    }
    new MessageStream(order.client(), TIMEOUT_MS)
        .send(new CodeAnswer(CodeAnswer.OPENED, CodeSession.CALLS).encode());
    CodeSession session =
        new CodeSession(
            new SocketStream(order.client()),
            dispatcher,
            CallsPage.map(order.calls()),
            order.callSeconds(),
            gpu::failure);
    String why = session.serve();
    if (!why.isEmpty()) {
      Log.info("a session of code has ended: " + why);
    }
    return why.isEmpty();
  }

  private static Dispatcher open(CodeOrder order, Provided provided) throws IOException {
    byte[] jar = read(order.jar());
    Posix.close(order.jar());
    return open(jar, order.signers(), order.request(), provided);
  }

  /**
   * Opens the service that is asked for.
   *
   * @param signers one of whom has to have signed the jar, where there are any
   * @throws IOException if the jar is another one, is not signed so, or has no such service
   */
  static Dispatcher open(
      byte[] jar, Optional<Set<Bytes>> signers, CodeRequest request, Provided provided)
      throws IOException {
    if (!Sha256.of(jar).equals(request.jar())) {
      throw new IOException("the jar is not the one of that digest");
    }
    Service service =
        new JarLoader(BoundedJar.unpack(jar, signers.map(Signatures::new)))
            .service(request.service())
            .orElseThrow(() -> new IOException("the jar has no service " + request.service()));
    if (!request.encodings().hex().equals(service.digest())) {
      throw new IOException("the jar has another version of the interface " + request.service());
    }
    return service.open(provided);
  }

  private static byte[] read(int file) throws IOException {
    long length = Errno.check((int) Posix.length(file), "the jar cannot be read");
    if (length > CodeRequest.MOST_BYTES) {
      throw new IOException("the jar has more than " + CodeRequest.MOST_BYTES + " bytes");
    }
    byte[] bytes = new byte[(int) length];
    try (NativeBuffer buffer = new NativeBuffer(Math.max(1, length))) {
      for (long got = 0; got < length; ) {
        long count = Posix.pread(file, buffer.address() + got, length - got, got);
        if (count <= 0) {
          throw new IOException("the jar cannot be read (" + count + ")");
        }
        got += count;
      }
      MemorySegment.copy(
          Native.MEMORY, ValueLayout.JAVA_BYTE, buffer.address(), bytes, 0, bytes.length);
    }
    return bytes;
  }
}
