// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.watch;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.outboard.cli.command.Answer;
import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Quantities;
import io.outboard.cli.command.Terminal;
import io.outboard.cli.lease.LeaseClient;
import io.outboard.cli.lease.LeaseCommands;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.OptionalInt;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code outboard top}. */
@Command(
    name = "top",
    description = {
      "Shows devices, leases and sessions, until q or Ctrl-C.",
      "With functions a second and how long each takes in the worker. Where standard output is no",
      "terminal, once. With --json an object on a line, each time."
    })
public final class Top extends LeaseCommands.Asking {
  // ECMA-48: another screen and no cursor, and back; the upper left corner; to the end of the
  // line; to the end of the screen.
  private static final String ENTER = "\033[?1049h\033[?25l";
  private static final String LEAVE = "\033[?25h\033[?1049l";
  private static final String HOME = "\033[H";
  private static final String REST_OF_LINE = "\033[K";
  private static final String REST_OF_SCREEN = "\033[J";
  private static final String KEYS =
      "q ends; c, b, l, t, p sort by calls, bytes, latency, tenant, program";
  private static final int QUIT = 'q';
  private static final Duration LOOK = Duration.ofMillis(50);

  /** Rows and columns, of a terminal that does not say; one over a wire says nothing, or 0. */
  private static final int[] USUAL_SIZE = {24, TopLine.WIDTH};

  @Option(names = "--once", description = "Once, without taking the screen.")
  private boolean once;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      defaultValue = "1s",
      converter = Quantities.Time.class,
      description = "How often, which is also what rates are of. Default: ${DEFAULT-VALUE}")
  private Duration every;

  @Option(
      names = "--sort",
      paramLabel = "BY",
      defaultValue = "calls",
      description = {
        "Sorts sessions by one of ${COMPLETION-CANDIDATES}; a key of the same first letter does so",
        "while it runs. Default: ${DEFAULT-VALUE}"
      })
  private SessionOrder order;

  @Option(
      names = "--sort-gpus",
      paramLabel = "BY",
      defaultValue = "number",
      description = "Sorts GPUs by one of ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}")
  private GpuOrder gpus;

  @Option(
      names = "--filter",
      paramLabel = "TEXT",
      defaultValue = "",
      description = {
        "Shows GPUs, leases and sessions alone that have this in a name: a node, a model, a tenant, a",
        "consumer, a state, a program."
      })
  private String filter;

  private final Sparks sparks = new Sparks();
  private Snapshot before;

  @Override
  public Integer call() throws Failure {
    return LeaseClient.understood(this::shown);
  }

  private int shown() throws Failure {
    if (!once && !output().isJson() && Terminal.isThere()) {
      watch();
      return 0;
    }
    do {
      output().follow(answer());
    } while (output().isJson() && !once);
    return 0;
  }

  @Override
  protected Answer answer() throws Failure {
    Snapshot earlier = before == null ? Snapshot.of(backend()) : before;
    pause();
    TopFrame frame = next(earlier);
    return new Answer(
        frame.json(), frame.lines(order, gpus, filter).stream().map(TopLine::line).toList());
  }

  private TopFrame next(Snapshot earlier) throws Failure {
    before = Snapshot.of(backend());
    return new TopFrame(earlier, before, sparks);
  }

  /** Until somebody presses q. */
  private void watch() throws Failure {
    before = Snapshot.of(backend());
    Keyboard keyboard = Keyboard.open();
    takeScreen(keyboard);
    draw(new TopFrame(before, before));
    TopFrame frame = null;
    while (stays(keyboard, frame)) {
      frame = next(before);
      draw(frame);
    }
  }

  /** Waits for the next frame, and returns false where that is not wanted. */
  private boolean stays(Keyboard keyboard, TopFrame shown) throws Failure {
    long end = System.nanoTime() + every.toNanos();
    while (System.nanoTime() < end) {
      OptionalInt key = keyboard.pressed();
      if (key.isPresent() && key.getAsInt() == QUIT) {
        return false;
      }
      SessionOrder.of(key.orElse(0)).ifPresent(wanted -> sort(wanted, shown));
      pause(LOOK);
    }
    return true;
  }

  private void sort(SessionOrder wanted, TopFrame shown) {
    order = wanted;
    if (shown != null) {
      draw(shown);
    }
  }

  private void takeScreen(Keyboard keyboard) {
    PrintWriter out = spec().commandLine().getOut();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  keyboard.close();
                  out.print(LEAVE);
                  out.flush();
                }));
    out.print(ENTER);
    out.flush();
  }

  /** Draws the lines that fit; {@code leases} shows all of them. */
  private void draw(TopFrame frame) {
    int[] size = size();
    boolean colours = Terminal.hasColours(System.getenv());
    StringBuilder text = new StringBuilder(HOME);
    frame.lines(order, gpus, filter).stream()
        .limit(Math.max(1, size[0] - 2))
        .map(line -> line.cut(size[1]))
        .map(line -> colours ? line.coloured() : line.text())
        .forEach(line -> text.append(line).append(REST_OF_LINE).append('\n'));
    text.append(REST_OF_SCREEN).append(TopLine.fit(KEYS, size[1]));
    PrintWriter out = spec().commandLine().getOut();
    out.print(text);
    out.flush();
  }

  /** Rows and columns of the terminal, which may change. */
  private static int[] size() {
    try {
      Process stty =
          new ProcessBuilder("stty", "size").redirectInput(ProcessBuilder.Redirect.INHERIT).start();
      String[] words =
          new String(stty.getInputStream().readAllBytes(), US_ASCII).strip().split(" ", -1);
      int[] size = {Integer.parseInt(words[0]), Integer.parseInt(words[1])};
      return size[0] > 0 && size[1] > 0 ? size : USUAL_SIZE;
    } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
      return USUAL_SIZE;
    }
  }

  private void pause() throws Failure {
    pause(every);
  }

  private static void pause(Duration time) throws Failure {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Failure("interrupted");
    }
  }
}
