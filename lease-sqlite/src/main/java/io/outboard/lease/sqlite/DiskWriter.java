// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.sqlite;

import io.outboard.lease.store.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Forces a file to the disk for all who wait for that: those who come while one write is under way
 * are served by the next one together (a group commit). A thread of its own does it, so that no
 * interrupt of another one closes the file.
 */
final class DiskWriter implements AutoCloseable {
  private final FileChannel file;
  private final Thread thread;
  // All of these are guarded by this object's monitor.
  private long wanted;
  private long done;
  private IOException failure;
  private boolean closed;

  DiskWriter(Path path) throws IOException {
    file = FileChannel.open(path, StandardOpenOption.READ);
    thread = Thread.ofPlatform().name("leases to disk").daemon(true).start(this::run);
  }

  /**
   * Returns when all that has been written to the file before is on the disk.
   *
   * @throws StoreException if it cannot be; then nothing is from there on, as nobody knows what is
   */
  synchronized void force() {
    long mine = ++wanted;
    notifyAll();
    boolean interrupted = false;
    while (done < mine && failure == null && !closed) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (done < mine) {
      throw new StoreException("the store of leases cannot be written to the disk", failure);
    }
  }

  private void run() {
    long next = next();
    while (next > 0) {
      try {
        file.force(false);
        finished(next);
        next = next();
      } catch (IOException e) {
        failed(e);
        return;
      }
    }
  }

  /** Waits for a wish, and returns it; 0 at the end. */
  private synchronized long next() {
    while (wanted == done && !closed) {
      try {
        wait();
      } catch (InterruptedException e) {
        closed = true;
      }
    }
    return wanted == done ? 0 : wanted;
  }

  private synchronized void finished(long what) {
    done = what;
    notifyAll();
  }

  private synchronized void failed(IOException cause) {
    failure = cause;
    notifyAll();
  }

  private synchronized void end() {
    closed = true;
    notifyAll();
  }

  @Override
  public void close() {
    end();
    try {
      thread.join();
      file.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new StoreException("the store of leases was not closed: " + e.getMessage(), e);
    }
  }
}
