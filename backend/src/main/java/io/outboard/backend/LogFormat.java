// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

/** How the log is written, by the daemon and its workers. */
public enum LogFormat {
  /** A line of text for each event. */
  TEXT,
  /** An object of JSON for each event, one a line. */
  JSON;

  private static final String PROPERTY = "outboard.log.format";

  /** Has this process write so, and the workers that get {@link #option}. */
  public void use() {
    System.setProperty(PROPERTY, name());
    Log.format();
  }

  /** The option of a worker's virtual machine that has it write so. */
  public String option() {
    return "-D" + PROPERTY + "=" + name();
  }

  /** What this process was told. */
  static LogFormat wanted() {
    return valueOf(System.getProperty(PROPERTY, TEXT.name()));
  }
}
