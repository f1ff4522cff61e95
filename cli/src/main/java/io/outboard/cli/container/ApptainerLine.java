// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.container;

import io.outboard.communicator.greeting.TokenFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Apptainer's {@code exec} or {@code run}. Source: the command reference and "Environment and
 * metadata" of the user guide of Apptainer 1.3.
 *
 * @param options those before the image that stay as they are
 * @param image the image
 * @param command the words that are started in it
 */
record ApptainerLine(List<String> options, String image, List<String> command)
    implements ContainerLine {
  private static final String PROGRAM = "apptainer";
  private static final String EXEC = "exec";
  private static final String RUN = "run";

  /** The program that {@code run} starts, which each image has. */
  private static final String RUNSCRIPT = "/.singularity.d/runscript";

  /**
   * A container has a variable of this name without the prefix, also one with a clean environment.
   */
  private static final String PREFIX = "APPTAINERENV_";

  /** They are about GPUs of this machine: a lease has their place. */
  private static final Set<String> OF_THIS_MACHINES_GPUS = Set.of("--nv", "--nvccli", "--rocm");

  /**
   * Takes its words apart.
   *
   * @throws IllegalArgumentException if a lease cannot be put in front of them
   */
  static ApptainerLine parse(List<String> words) {
    String verb = words.getFirst();
    if (!verb.equals(EXEC) && !verb.equals(RUN)) {
      throw new IllegalArgumentException(
          "a lease can be put in front of 'apptainer exec' and 'apptainer run' alone, not of"
              + " 'apptainer %s'".formatted(verb));
    }
    EngineWords parts = EngineWords.parse(Engine.APPTAINER, words.subList(1, words.size()));
    if (parts.rest().isEmpty()) {
      throw new IllegalArgumentException("'apptainer %s' wants an image".formatted(verb));
    }
    List<String> command = parts.rest().subList(1, parts.rest().size());
    if (verb.equals(EXEC) && command.isEmpty()) {
      throw new IllegalArgumentException("'apptainer exec' wants a program");
    }
    List<String> started = new ArrayList<>(verb.equals(RUN) ? List.of(RUNSCRIPT) : List.of());
    started.addAll(command);
    return new ApptainerLine(
        parts.without(OF_THIS_MACHINES_GPUS), parts.rest().getFirst(), started);
  }

  /** It has one only with {@code --net}. */
  @Override
  public boolean hasHostsNetwork() {
    return options.stream().noneMatch(word -> Engine.APPTAINER.has(word, "--net", 'n'));
  }

  @Override
  public String tokenVariable() {
    return PREFIX + TokenFile.VARIABLE;
  }

  @Override
  public List<String> words(Reach reach) {
    List<String> words = new ArrayList<>(List.of(PROGRAM, EXEC));
    reach
        .mounts()
        .forEach((here, there) -> words.addAll(List.of("--bind", here + ":" + there + ":ro")));
    reach.variables().forEach((name, value) -> words.addAll(List.of("--env", name + "=" + value)));
    words.addAll(options);
    words.addAll(List.of(image, Reach.STARTER, "--"));
    words.addAll(command);
    return words;
  }
}
