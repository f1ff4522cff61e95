// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.container;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The words of an engine's {@code run}, taken apart. An option that asks for a GPU of this machine
 * is taken out: a lease has its place.
 *
 * @param options those before the image that stay as they are
 * @param gpus how many are asked for; none where no number is said
 * @param entrypoint the program that is to start instead of the image's; empty: none at all
 * @param network what {@code --network} says
 * @param cidFile where the container's id is to be written
 * @param detached whether the engine's command ends before the container
 * @param rootFolder whether the image is a folder
 * @param image the image
 * @param command the words behind it
 */
record RunLine(
    List<String> options,
    Optional<Integer> gpus,
    Optional<String> entrypoint,
    String network,
    Optional<String> cidFile,
    boolean detached,
    boolean rootFolder,
    String image,
    List<String> command) {

  /**
   * Takes them apart.
   *
   * @throws IllegalArgumentException if there is no image, or a GPU is named that is this machine's
   */
  static RunLine parse(Engine engine, List<String> words) {
    return new Reader(engine, words).read();
  }

  private static final class Reader {
    private static final String ALL = "all";
    private static final String CDI = "nvidia.com/gpu=";

    private final Engine engine;
    private final List<String> words;
    private final List<String> options = new ArrayList<>();
    private Optional<Integer> gpus = Optional.empty();
    private Optional<String> entrypoint = Optional.empty();
    private String network = "";
    private Optional<String> cidFile = Optional.empty();
    private boolean detached;
    private boolean rootFolder;
    private int at;

    Reader(Engine engine, List<String> words) {
      this.engine = engine;
      this.words = words;
    }

    RunLine read() {
      while (at < words.size() && words.get(at).startsWith("-") && !words.get(at).equals("--")) {
        readOption();
      }
      if (at < words.size() && words.get(at).equals("--")) {
        at++;
      }
      if (at >= words.size()) {
        throw new IllegalArgumentException("'%s run' wants an image".formatted(engine.program()));
      }
      List<String> command = List.copyOf(words.subList(at + 1, words.size()));
      return new RunLine(
          List.copyOf(options),
          gpus,
          entrypoint,
          network,
          cidFile,
          detached,
          rootFolder,
          words.get(at),
          command);
    }

    private void readOption() {
      String word = words.get(at++);
      int equals = word.startsWith("--") ? word.indexOf('=') : -1;
      String name = equals < 0 ? word : word.substring(0, equals);
      if (!engine.takesNext(word)) {
        rootFolder |= name.equals("--rootfs");
        detached |= engine.has(word, "--detach", 'd');
        take(name, equals < 0 ? "" : word.substring(equals + 1), List.of(word));
      } else if (at < words.size()) {
        detached |= engine.has(word, "--detach", 'd');
        String value = words.get(at++);
        take(name, value, List.of(word, value));
      } else {
        throw new IllegalArgumentException("'%s' wants a value".formatted(word));
      }
    }

    private void take(String name, String value, List<String> as) {
      switch (name) {
        case "--gpus" -> gpus = count(value).or(() -> gpus);
        case "--entrypoint" -> entrypoint = Optional.of(value);
        default -> {
          if (!isOfThisMachinesGpus(name, value)) {
            note(name, value);
            options.addAll(as);
          }
        }
      }
    }

    private void note(String name, String value) {
      switch (name) {
        case "--network", "--net" -> network = value;
        case "--cidfile" -> cidFile = Optional.of(value);
        default -> {}
      }
    }

    private static boolean isOfThisMachinesGpus(String name, String value) {
      return (name.equals("--device") && value.startsWith(CDI))
          || (name.equals("--runtime") && value.equals("nvidia"));
    }

    /** A number; {@code all} leaves it to the command's own option. */
    private static Optional<Integer> count(String value) {
      String number = value.startsWith("count=") ? value.substring("count=".length()) : value;
      if (number.equals(ALL)) {
        return Optional.empty();
      }
      if (!number.matches("[1-9][0-9]{0,3}")) {
        throw new IllegalArgumentException(
            "--gpus %s names GPUs of this machine: say how many, as --gpus 2".formatted(value));
      }
      return Optional.of(Integer.valueOf(number));
    }
  }
}
