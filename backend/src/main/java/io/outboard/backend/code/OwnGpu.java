// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.code;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.client.ClientLibrary;
import io.outboard.client.Session;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Sockets;
import io.outboard.gpu.Gpu;
import io.outboard.gpu.GpuException;
import io.outboard.gpu.GpuSource;
import io.outboard.offload.service.Provided;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Optional;

/**
 * The GPU of the code of this process, over the descriptor that the daemon has given for it. A byte
 * asks for it; the daemon says for whom it is.
 */
final class OwnGpu implements GpuSource, Provided {
  private final int descriptor;
  private final int device;
  private Session session;
  private String refusal = "";
  private Gpu gpu;

  OwnGpu(int descriptor, int device) {
    this.descriptor = descriptor;
    this.device = device;
  }

  @Override
  public <T> T get(Class<T> type) {
    if (!type.isAssignableFrom(GpuSource.class)) {
      throw new IllegalArgumentException("there is no " + type.getName() + " on a backend");
    }
    return type.cast(this);
  }

  @Override
  public synchronized Optional<Gpu> gpu() throws IOException {
    if (!refusal.isEmpty()) {
      throw new IOException(refusal);
    }
    if (session == null) {
      open();
    }
    Optional<String> lost = session.lostBecause();
    if (lost.isPresent()) {
      throw new IOException("the GPU's session is over: " + lost.get());
    }
    return Optional.of(gpu);
  }

  private void open() throws IOException {
    try {
      session = opened();
      gpu = Gpu.of(session, device);
    } catch (IOException | GpuException e) {
      refusal = "there is no GPU for this code: " + e.getMessage();
      throw new IOException(refusal, e);
    }
  }

  private Session opened() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      long wanted = arena.allocate(1).address();
      Errno.check(Sockets.send(descriptor, wanted, 1), "the daemon has gone");
    }
    // Nobody reads what kernels print here, and the code's own text is not kept either.
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, UTF_8);
    return Session.welcomed("its GPU", descriptor, List.of(ClientLibrary.CUDA), nowhere, nowhere);
  }

  /** Why it is of no more use, where it was opened: an error of a kernel's lasts, say. */
  synchronized Optional<String> failure() {
    if (gpu == null) {
      return Optional.of(refusal).filter(text -> !text.isEmpty());
    }
    try {
      gpu.synchronize();
      return Optional.empty();
    } catch (GpuException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }
}
