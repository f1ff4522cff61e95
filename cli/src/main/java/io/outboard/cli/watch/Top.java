// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.watch;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.outboard.cli.command.Answer;
import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Quantities;
import io.outboard.cli.lease.LeaseCommands;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code outboard top}. */
@Command(
    name = "top",
    description = {
      "Shows devices, leases and sessions, until Ctrl-C.",
      "With functions a second and how long each takes in the worker. Where standard output is no",
      "terminal, once."
    })
public final class Top extends LeaseCommands.Asking {
  // ECMA-48: another screen and no cursor, and back; the upper left corner; to the end of the
  // line; to the end of the screen.
  private static final String ENTER = "\033[?1049h\033[?25l";
  private static final String LEAVE = "\033[?25h\033[?1049l";
  private static final String HOME = "\033[H";
  private static final String REST_OF_LINE = "\033[K";
  private static final String REST_OF_SCREEN = "\033[J";
  private static final int USUAL_ROWS = 24;
  private static final int USUAL_COLUMNS = 80;

  @Option(names = "--once", description = "Once, without taking the screen.")
  private boolean once;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      defaultValue = "1s",
      converter = Quantities.Time.class,
      description = "How often, which is also what rates are of. Default: ${DEFAULT-VALUE}")
  private Duration every;

  private Snapshot before;

  @Override
  public Integer call() throws Failure {
    boolean screen = !once && !output().isJson() && isTerminal();
    if (screen) {
      takeScreen();
    }
    do {
      Answer answer = answer();
      if (screen) {
        draw(answer.lines());
      } else {
        output().follow(answer);
      }
    } while (screen || (output().isJson() && !once));
    return 0;
  }

  @Override
  protected Answer answer() throws Failure {
    Snapshot earlier = before == null ? Snapshot.of(backend()) : before;
    pause();
    before = Snapshot.of(backend());
    TopFrame frame = new TopFrame(earlier, before);
    return new Answer(frame.json(), frame.lines());
  }

  private static boolean isTerminal() throws Failure {
    try {
      return new ProcessBuilder("test", "-t", "1").inheritIO().start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Failure("interrupted");
    }
  }

  private void takeScreen() {
    PrintWriter out = spec().commandLine().getOut();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  out.print(LEAVE);
                  out.flush();
                }));
    out.print(ENTER);
    out.flush();
  }

  /** Draws the lines that fit; {@code leases} shows all of them. */
  private void draw(List<String> lines) {
    int[] size = size();
    StringBuilder text = new StringBuilder(HOME);
    for (int i = 0; i < Math.min(lines.size(), size[0] - 1); i++) {
      String line = lines.get(i);
      text.append(line, 0, Math.min(line.length(), size[1])).append(REST_OF_LINE).append('\n');
    }
    PrintWriter out = spec().commandLine().getOut();
    out.print(text.append(REST_OF_SCREEN));
    out.flush();
  }

  /** Rows and columns of the terminal, which may change. */
  private static int[] size() {
    try {
      Process stty =
          new ProcessBuilder("stty", "size").redirectInput(ProcessBuilder.Redirect.INHERIT).start();
      String[] words =
          new String(stty.getInputStream().readAllBytes(), US_ASCII).strip().split(" ", -1);
      return new int[] {Integer.parseInt(words[0]), Integer.parseInt(words[1])};
    } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
      return new int[] {USUAL_ROWS, USUAL_COLUMNS};
    }
  }

  private void pause() throws Failure {
    try {
      Thread.sleep(every);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Failure("interrupted");
    }
  }
}
