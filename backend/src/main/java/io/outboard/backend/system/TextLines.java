// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import io.outboard.wire.Printable;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;

/** Lines of the log as text, as the platform's property has them. */
final class TextLines extends SimpleFormatter {
  /** A stranger's text in it neither looks like a line of ours nor steers a terminal. */
  @Override
  public String formatMessage(LogRecord line) {
    return Printable.of(super.formatMessage(line));
  }
}
