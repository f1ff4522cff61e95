// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.suspend;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.outboard.backend.system.Log;
import io.outboard.backend.system.ProcessHardening;
import io.outboard.backend.system.StderrGuard;
import io.outboard.cuda.CudaResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;

/**
 * The main class of a process that has the driver suspend workers and resume them, as a driver does
 * that from outside. It is started when the first one is to be suspended, and ends with the daemon.
 *
 * <p>A line of its input is an order, a process, a number of milliseconds and, of RESTORE, what
 * moves to other GPUs ({@link DeviceMove#parse}); each is answered by a line with a result.
 */
public final class CheckpointHelper {
  private static final String LIBRARY = "libcuda.so.1";

  /** Its requests; the answer is a {@code CUresult}, of STATE see there. */
  public enum Order {
    /** The answer is the driver's version, as {@code cuDriverGetVersion} has it. */
    VERSION,
    /** The answer is the state, or a negated result. */
    STATE,
    /** Waits so long for the work of the process. */
    LOCK,
    /** See {@link ProcessCheckpoints#checkpoint}. */
    CHECKPOINT,
    /** See {@link ProcessCheckpoints#restore}. */
    RESTORE,
    /** See {@link ProcessCheckpoints#unlock}. */
    UNLOCK
  }

  private final ProcessCheckpoints driver;

  private CheckpointHelper(ProcessCheckpoints driver) {
    this.driver = driver;
  }

  /** Runs it; without arguments. The first line that it writes says whether it can be used. */
  public static void main(String[] arguments) throws IOException {
    StderrGuard.install();
    ProcessHardening.confine();
    PrintStream answers = new PrintStream(System.out, true, US_ASCII);
    try {
      ProcessCheckpoints driver = ProcessCheckpoints.load(LIBRARY);
      int ready = driver.areThere() ? driver.initialise() : CudaResult.NOT_FOUND;
      answers.println(ready);
      if (ready == CudaResult.SUCCESS) {
        new CheckpointHelper(driver).serve(answers);
      }
    } catch (IllegalArgumentException e) {
      Log.debug(e.getMessage());
      answers.println(CudaResult.FILE_NOT_FOUND);
    }
    // Not exit: nothing of the driver's is to be waited for.
    Runtime.getRuntime().halt(0);
  }

  private void serve(PrintStream answers) throws IOException {
    BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, US_ASCII));
    for (String line = orders.readLine(); line != null; line = orders.readLine()) {
      String[] words = line.split(" ", 4);
      int process = Integer.parseInt(words[1]);
      answers.println(obey(Order.valueOf(words[0]), process, Integer.parseInt(words[2]), words[3]));
    }
  }

  private int obey(Order order, int process, int milliseconds, String moves) {
    return switch (order) {
      case VERSION -> driver.version();
      case STATE -> driver.state(process);
      case LOCK -> driver.lock(process, milliseconds);
      case CHECKPOINT -> driver.checkpoint(process);
      case RESTORE -> driver.restore(process, DeviceMove.parse(moves));
      case UNLOCK -> driver.unlock(process);
    };
  }
}
