// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.container;

import io.outboard.cli.command.Failure;
import io.outboard.communicator.greeting.TokenFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Docker's {@code run}, or Podman's. */
final class EngineRun implements ContainerLine {
  static final String RUN = "run";

  private final Engine engine;
  private final RunLine line;
  private final Optional<IdFile> id;
  private List<String> started = List.of();

  private EngineRun(Engine engine, RunLine line, Optional<IdFile> id) {
    this.engine = engine;
    this.line = line;
    this.id = id;
  }

  /**
   * Takes its words apart.
   *
   * @param kept whether the container's end is awaited
   * @throws IllegalArgumentException if a lease cannot be put in front of them
   */
  static EngineRun parse(Engine engine, List<String> words, boolean kept) throws Failure {
    if (!words.getFirst().equals(RUN)) {
      throw new IllegalArgumentException(
          "a lease can be put in front of '%1$s run' alone, not of '%1$s %2$s'"
              .formatted(engine.program(), words.getFirst()));
    }
    RunLine line = RunLine.parse(engine, words.subList(1, words.size()));
    return new EngineRun(engine, line, kept ? Optional.of(IdFile.of(line)) : Optional.empty());
  }

  @Override
  public Optional<Integer> gpus() {
    return line.gpus();
  }

  @Override
  public boolean hasHostsNetwork() {
    return line.network().equals("host");
  }

  @Override
  public void prepare() throws Failure {
    Image image = line.rootFolder() ? Image.OF_FOLDER : Image.of(engine, line.image());
    started = image.started(line);
  }

  /** A lease's token is no word of it, which all of the machine's users could read. */
  @Override
  public List<String> words(Reach reach) {
    List<String> words = new ArrayList<>(List.of(engine.program(), RUN));
    id.ifPresent(file -> words.addAll(file.words()));
    reach
        .mounts()
        .forEach((here, there) -> words.addAll(List.of("--volume", here + ":" + there + ":ro")));
    reach.variables().forEach((name, value) -> words.addAll(List.of("--env", name + "=" + value)));
    words.addAll(List.of("--env", TokenFile.VARIABLE, "--entrypoint", Reach.STARTER));
    words.addAll(line.options());
    words.addAll(List.of(line.image(), "--"));
    words.addAll(started);
    return words;
  }

  @Override
  public boolean detached() {
    return line.detached();
  }

  @Override
  public void await() throws Failure {
    if (id.isPresent()) {
      id.get().await(engine);
    }
  }

  @Override
  public void close() throws Failure {
    if (id.isPresent()) {
      id.get().close();
    }
  }
}
