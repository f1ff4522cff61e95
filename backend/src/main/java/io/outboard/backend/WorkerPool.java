// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Posix;
import io.outboard.communicator.Sockets;
import io.outboard.communicator.UnixCommunicator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Workers that have started and wait for a client, so that a client need not wait for a virtual
 * machine to start.
 */
final class WorkerPool implements AutoCloseable {
  private static final long START_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);

  private final String devices;
  private final int spare;
  private final List<String> jvmOptions;
  private final Path folder;
  private final Listener listener;
  private final Map<Long, WorkerProcess> starting = new HashMap<>();
  private final Deque<WorkerProcess> ready = new ArrayDeque<>();

  /**
   * Starts the processes. The kernel's parent-death signal is sent when the thread that started a
   * process ends, so this thread lives as long as the pool.
   */
  private final ExecutorService spawner =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().name("spawner").daemon(true).factory());

  private int wanted;
  private boolean closed;

  /**
   * Starts the pool.
   *
   * @param spare workers to keep ready
   */
  WorkerPool(String devices, int spare, List<String> jvmOptions) throws IOException {
    this.devices = devices;
    this.spare = spare;
    this.jvmOptions = jvmOptions;
    this.folder = Files.createTempDirectory("outboard-workers");
    this.listener =
        new UnixCommunicator()
            .listen(Endpoint.unix(folder.resolve("daemon.sock").toString()), false);
    Thread.ofPlatform().name("worker-pool").daemon(true).start(this::accept);
    fill();
  }

  private void accept() {
    try {
      for (int descriptor = listener.accept();
          descriptor != Listener.CLOSED;
          descriptor = listener.accept()) {
        connected(descriptor, Sockets.peerProcess(descriptor));
      }
    } catch (IOException e) {
      Log.warn("no more workers: " + e.getMessage());
    }
  }

  private synchronized void connected(int descriptor, long pid) {
    WorkerProcess worker = starting.remove(pid);
    if (worker == null) {
      Posix.close(descriptor);
      return;
    }
    worker.connected(descriptor);
    ready.add(worker);
    notifyAll();
  }

  /** Takes a worker that waits for its client. */
  synchronized WorkerProcess take() throws IOException {
    wanted++;
    try {
      fill();
      long deadline = System.nanoTime() + START_TIMEOUT_NS;
      while (ready.isEmpty()) {
        wait(timeLeft(deadline));
      }
      return ready.remove();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      wanted--;
      fill();
    }
  }

  /** Milliseconds until a worker must be there, in steps that notice one that died on its way. */
  private long timeLeft(long deadline) throws IOException {
    dropDead();
    long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
    if (left <= 0 || starting.isEmpty()) {
      throw new IOException("no worker could be started");
    }
    return Math.min(left, 1000);
  }

  private void dropDead() {
    starting.values().removeIf(worker -> !worker.alive());
  }

  private synchronized void fill() throws IOException {
    ready.removeIf(worker -> !worker.alive());
    while (!closed && starting.size() + ready.size() < wanted + spare) {
      WorkerProcess worker = start();
      starting.put(worker.pid(), worker);
    }
  }

  private WorkerProcess start() throws IOException {
    String socket = folder.resolve("daemon.sock").toString();
    try {
      return spawner.submit(() -> WorkerProcess.start(socket, devices, jvmOptions)).get();
    } catch (ExecutionException e) {
      throw new IOException("a worker cannot be started: " + e.getCause().getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      starting.values().forEach(WorkerProcess::stop);
      ready.forEach(WorkerProcess::stop);
      notifyAll();
    }
    listener.close();
    spawner.shutdown();
    try {
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      Log.debug(folder + " is left: " + e.getMessage());
    }
  }
}
