// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.measure;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;

/** A program that waits for a line before it measures, and for another before it ends. */
public final class GatedProgram implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;
  private final BufferedWriter in;

  /** Waits until its warm-up is over. */
  GatedProgram(Process process) throws IOException {
    this.process = process;
    out = process.inputReader();
    in = process.outputWriter();
    if (out.readLine() == null) {
      throw new IOException("the program of the benchmark did not get ready");
    }
  }

  /** Lets it measure; it still runs afterwards. */
  public Figures measure() throws IOException {
    in.newLine();
    in.flush();
    return Figures.parse(out.readLine());
  }

  @Override
  public void close() throws IOException {
    in.close();
    out.close();
    Waiting.forEnd(process);
  }
}
