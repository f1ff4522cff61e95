// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.container;

import io.outboard.cli.command.Failure;
import io.outboard.communicator.greeting.TokenFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * LXC's {@code lxc-execute} and {@code lxc-attach}. Sources: their manual pages and {@code
 * lxc.container.conf(5)} of LXC 5.
 *
 * @param engine which of them
 * @param options those before the command that stay as they are, without the name
 * @param name of the container
 * @param path its folder of containers ({@code --lxcpath}), where it is said
 * @param command the words that are started in it
 */
record LxcLine(
    Engine engine, List<String> options, String name, Optional<String> path, List<String> command)
    implements ContainerLine {
  private static final String VARIABLE = "lxc.environment=";

  /**
   * Takes its words apart.
   *
   * @throws IllegalArgumentException if a lease cannot be put in front of them
   */
  static LxcLine parse(Engine engine, List<String> words) {
    EngineWords parts = EngineWords.parse(engine, words);
    List<String> rest = parts.rest();
    Optional<String> named = parts.value("--name", "-n");
    if (named.isEmpty() && rest.isEmpty()) {
      throw new IllegalArgumentException("'%s' wants --name".formatted(engine.program()));
    }
    List<String> command = named.isPresent() ? rest : behindName(rest);
    if (command.isEmpty()) {
      throw new IllegalArgumentException(
          "'%s' wants a program: 'outboard %1$s -n NAME -- PROGRAM'".formatted(engine.program()));
    }
    return new LxcLine(
        engine,
        parts.without(Set.of("--name", "-n")),
        named.orElseGet(rest::getFirst),
        parts.value("--lxcpath", "-P"),
        command);
  }

  /** A name may stand alone, and {@code --} behind it. */
  private static List<String> behindName(List<String> rest) {
    int first = rest.size() > 1 && rest.get(1).equals("--") ? 2 : 1;
    return rest.subList(Math.min(first, rest.size()), rest.size());
  }

  /**
   * Its network is as its configuration says, which is not read: a name of this machine is none.
   */
  @Override
  public boolean hasHostsNetwork() {
    return false;
  }

  @Override
  public List<String> words(Reach reach) {
    List<String> words = new ArrayList<>(List.of(engine.program(), "--name", name));
    if (engine.equals(Engine.LXC_EXECUTE)) {
      addDefinitions(words, reach);
    } else {
      reach
          .variables()
          .forEach((variable, value) -> words.add("--set-var=" + variable + "=" + value));
      words.add("--keep-var=" + TokenFile.VARIABLE);
    }
    words.addAll(options);
    words.addAll(List.of("--", Reach.STARTER, "--"));
    words.addAll(command);
    return words;
  }

  /** A variable without a value is this machine's: a token is no word that others can read. */
  private static void addDefinitions(List<String> words, Reach reach) {
    mounts(reach).forEach(entry -> words.add("--define=" + entry));
    reach
        .variables()
        .forEach((variable, value) -> words.add("--define=" + VARIABLE + variable + "=" + value));
    words.add("--define=" + VARIABLE + TokenFile.VARIABLE);
  }

  /** Lines of a container's configuration by which it sees the client and the backend's socket. */
  static List<String> mounts(Reach reach) {
    return reach.mounts().entrySet().stream()
        .map(
            mount ->
                "lxc.mount.entry=%s %s none bind,ro,create=%s 0 0"
                    .formatted(
                        escaped(mount.getKey()),
                        mount.getValue().substring(1),
                        mount.getKey().toFile().isDirectory() ? "dir" : "file"))
        .toList();
  }

  /** As {@code fstab(5)} has it. */
  private static String escaped(Path path) {
    return path.toString().replace("\\", "\\134").replace(" ", "\\040").replace("\t", "\\011");
  }

  @Override
  public boolean detached() {
    return options.stream().anyMatch(word -> engine.has(word, "--daemon", 'd'));
  }

  @Override
  public void await() throws Failure {
    if (engine.equals(Engine.LXC_EXECUTE)) {
      new Lxc(name, path).awaitStopped();
    }
  }
}
