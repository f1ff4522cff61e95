// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import io.outboard.patience.Patience;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The lines that the backend logs while this is open. */
public final class LogLines extends Handler implements AutoCloseable {
  private final Logger logger = Logger.getLogger("outboard");
  private final List<String> lines = new CopyOnWriteArrayList<>();

  public LogLines() {
    logger.addHandler(this);
    logger.setUseParentHandlers(false);
  }

  /** Waits for a line that contains a text. */
  public String await(String text) throws InterruptedException {
    Patience.until(() -> "a line with '" + text + "' in " + lines, () -> has(text));
    return lines.stream().filter(line -> line.contains(text)).findFirst().orElseThrow();
  }

  /** Whether there is such a line up to now. */
  public boolean has(String text) {
    return lines.stream().anyMatch(line -> line.contains(text));
  }

  @Override
  public void publish(LogRecord line) {
    lines.add(line.getMessage());
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setUseParentHandlers(true);
  }
}
