// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.offload;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of workers that are tasks of an array job. */
final class SlurmOptions {
  @Option(
      names = "--settings",
      paramLabel = "FILE",
      description = {
        "With --slurm: what runs there, as of 'serve --offload'. Each task has a folder of jars of",
        "its own, in the place of that of the file."
      })
  private Path settings;

  @Option(
      names = "--folder",
      paramLabel = "FOLDER",
      description = {
        "With --slurm: where tasks register, a folder that all nodes see and nobody else can read.",
        "Default: offload in ~/.local/state/outboard."
      })
  private Path folder;

  @Option(
      names = "--sbatch",
      paramLabel = "WORD",
      description = "With --slurm: a word for sbatch, as --sbatch=--partition=long; any number.")
  private final List<String> words = new ArrayList<>();

  boolean isAsked() {
    return settings != null || folder != null || !words.isEmpty();
  }

  Path settings() {
    return settings;
  }

  /** The one that is named, else one among these. */
  Path folder(Path state) {
    return folder != null ? folder.toAbsolutePath() : state.resolve("offload");
  }

  List<String> words() {
    return words;
  }
}
