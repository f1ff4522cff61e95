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
    return new Reader(engine).read(EngineWords.parse(engine, words));
  }

  private static final class Reader {
    private static final String ALL = "all";
    private static final String CDI = "nvidia.com/gpu=";

    private final Engine engine;
    private final List<String> options = new ArrayList<>();
    private Optional<Integer> gpus = Optional.empty();
    private Optional<String> entrypoint = Optional.empty();
    private String network = "";
    private Optional<String> cidFile = Optional.empty();
    private boolean detached;
    private boolean rootFolder;

    Reader(Engine engine) {
      this.engine = engine;
    }

    RunLine read(EngineWords words) {
      words.options().forEach(this::take);
      if (words.rest().isEmpty()) {
        throw new IllegalArgumentException("'%s run' wants an image".formatted(engine.program()));
      }
      return new RunLine(
          List.copyOf(options),
          gpus,
          entrypoint,
          network,
          cidFile,
          detached,
          rootFolder,
          words.rest().getFirst(),
          words.rest().subList(1, words.rest().size()));
    }

    private void take(EngineOption option) {
      switch (option.name()) {
        case "--gpus" -> gpus = count(option.value()).or(() -> gpus);
        case "--entrypoint" -> entrypoint = Optional.of(option.value());
        default -> {
          if (!isOfThisMachinesGpus(option)) {
            note(option);
            options.addAll(option.words());
          }
        }
      }
    }

    private void note(EngineOption option) {
      detached |= engine.has(option.words().getFirst(), "--detach", 'd');
      switch (option.name()) {
        case "--network", "--net" -> network = option.value();
        case "--cidfile" -> cidFile = Optional.of(option.value());
        case "--rootfs" -> rootFolder = true;
        default -> {}
      }
    }

    private static boolean isOfThisMachinesGpus(EngineOption option) {
      return (option.name().equals("--device") && option.value().startsWith(CDI))
          || (option.name().equals("--runtime") && option.value().equals("nvidia"));
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
