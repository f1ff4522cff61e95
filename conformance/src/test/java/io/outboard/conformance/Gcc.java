// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The C compiler. */
final class Gcc {
  private Gcc() {}

  /** A text after the preprocessor. */
  static String preprocess(String text, List<String> options)
      throws IOException, InterruptedException {
    Path source = Files.createTempFile("source", ".c");
    try {
      Files.writeString(source, text);
      List<String> command = new ArrayList<>(List.of("gcc", "-E", "-P"));
      command.addAll(options);
      command.add(source.toString());
      return output(command);
    } finally {
      Files.delete(source);
    }
  }

  /** Runs it with arguments of the caller's. */
  static void compile(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("gcc", "-std=gnu11", "-w"));
    command.addAll(arguments);
    output(command);
  }

  /** Compiles a program, runs it and returns its output. */
  static String run(String text, List<String> options) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("program");
    Path source = folder.resolve("program.c");
    Path program = folder.resolve("program");
    try {
      Files.writeString(source, text);
      List<String> arguments = new ArrayList<>(List.of("-o", program.toString()));
      arguments.addAll(options);
      arguments.add(source.toString());
      compile(arguments);
      return output(List.of(program.toString()));
    } finally {
      Files.deleteIfExists(program);
      Files.delete(source);
      Files.delete(folder);
    }
  }

  private static String output(List<String> command) throws IOException, InterruptedException {
    Program.Ended ended = Program.run(command, Map.of());
    if (ended.status() != 0) {
      throw new AssertionError(command + ": " + ended);
    }
    return ended.output();
  }
}
