// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.communicator.Greeted;
import io.outboard.wire.Bytes;
import io.outboard.wire.Message;
import java.io.IOException;

/** A session as the daemon sees it: who the client is, and the page that its worker writes. */
final class SupervisedSession implements AutoCloseable {
  private final int number;
  private final Greeted greeted;
  private final boolean quiet;
  private final SharedPage page;
  private final Bytes identity = Bytes.random(Message.IDENTITY);

  SupervisedSession(int number, Greeted greeted, boolean quiet) throws IOException {
    this.number = number;
    this.greeted = greeted;
    this.quiet = quiet;
    this.page = SharedPage.create();
  }

  /** What nobody but its client knows. */
  Bytes identity() {
    return identity;
  }

  /**
   * Gives the client to a worker.
   *
   * @param left runs when the worker has ended
   */
  void start(WorkerProcess worker, int client, Runnable left) throws IOException {
    if (!quiet) {
      Log.info("session %d: %s, worker %d".formatted(number, client(), worker.pid()));
    }
    try {
      worker.handOver(
          new HandOver(
              client, page.descriptor(), greeted.hello(), greeted.serverProof(), identity));
    } catch (IOException e) {
      worker.stop();
      throw e;
    }
    worker.onExit(
        status -> {
          report(status);
          close();
          left.run();
        });
  }

  private String client() {
    return "%s (process %d)"
        .formatted(printable(greeted.hello().program()), greeted.hello().process());
  }

  /** A client's own text; it must not look like lines of ours. */
  private static String printable(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  private void report(int status) {
    boolean told = !page.cause().isEmpty();
    boolean failed = !told || status == Worker.FAILED || !page.opened();
    if (quiet && !failed) {
      return;
    }
    String cause =
        told ? printable(page.cause()) : "its worker ended, " + WorkerProcess.describe(status);
    String line =
        "session %d: %s: %s; %d calls, %d bytes in, %d out, %d handles left"
            .formatted(
                number,
                client(),
                cause,
                page.calls(),
                page.bytesIn(),
                page.bytesOut(),
                page.handles());
    if (failed) {
      Log.warn(line);
    } else {
      Log.info(line);
    }
  }

  @Override
  public void close() {
    page.close();
  }
}
