// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.suspend;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.outboard.cuda.CudaResult;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.util.List;

/** The daemon's side of a {@link CheckpointHelper}, which is started when it is needed. */
public final class Checkpoints implements AutoCloseable {
  /** Starts the process, with pipes. */
  public interface Starter {
    /** Starts it. */
    Process start() throws IOException;
  }

  private final Starter starter;
  private volatile Process helper;
  private volatile boolean closed;
  // Both are guarded by this object's monitor.
  private BufferedReader answers;
  private Writer orders;

  public Checkpoints(Starter starter) {
    this.starter = starter;
  }

  /**
   * Has the helper do something; one thing at a time.
   *
   * @return as {@link CheckpointHelper.Order} says
   * @throws SuspensionException if there is no driver that can do such things
   */
  int order(CheckpointHelper.Order order, long process, long milliseconds)
      throws SuspensionException {
    return order(order, process, milliseconds, List.of());
  }

  /** Has the helper bring a process back, perhaps to other devices. */
  int restore(long process, List<DeviceMove> moves) throws SuspensionException {
    return order(CheckpointHelper.Order.RESTORE, process, 0, moves);
  }

  private synchronized int order(
      CheckpointHelper.Order order, long process, long milliseconds, List<DeviceMove> moves)
      throws SuspensionException {
    if (helper == null || !helper.isAlive()) {
      start();
    }
    try {
      orders.write("%s %d %d %s\n".formatted(order, process, milliseconds, DeviceMove.text(moves)));
      orders.flush();
      return answer();
    } catch (IOException e) {
      throw new SuspensionException("the process that suspends others failed", e);
    }
  }

  private int answer() throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw new IOException("it has ended");
    }
    return Integer.parseInt(line);
  }

  private void start() throws SuspensionException {
    if (closed) {
      throw new SuspensionException("the backend ends");
    }
    try {
      helper = starter.start();
      answers = new BufferedReader(new InputStreamReader(helper.getInputStream(), US_ASCII));
      orders = new BufferedWriter(new OutputStreamWriter(helper.getOutputStream(), US_ASCII));
      check(answer());
    } catch (SuspensionException e) {
      forget();
      throw e;
    } catch (IOException e) {
      forget();
      throw new SuspensionException("the process that suspends others cannot be started", e);
    }
  }

  /** A useless one may take a while to end: a caller meanwhile starts another. */
  private void forget() {
    Process useless = helper;
    helper = null;
    if (useless != null) {
      useless.destroyForcibly();
    }
  }

  private static void check(int ready) throws SuspensionException {
    switch (ready) {
      case CudaResult.SUCCESS -> {}
      case CudaResult.NOT_FOUND, CudaResult.FILE_NOT_FOUND ->
          throw new SuspensionException(
              "the driver cannot suspend processes: it is older than version 570");
      default ->
          throw new SuspensionException(
              "the driver cannot be used to suspend processes: " + CudaResult.name(ready));
    }
  }

  /** Ends the helper. */
  @Override
  public void close() {
    // Not synchronized with an order, which may take long: the process is just ended.
    closed = true;
    Process last = helper;
    if (last != null) {
      last.destroyForcibly();
    }
  }
}
