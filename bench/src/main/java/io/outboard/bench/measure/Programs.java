// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The C programs of the benchmark, built by its makefile. */
public final class Programs {
  private static final int MEGABYTES = 64;

  private final Path folder;
  private final Path libraries;

  public Programs(Path home) {
    folder = home.resolve("bench/target/c");
    libraries = home.resolve("frontend/target/lib");
  }

  public Figures pingPong(Medium medium, long gap, int count)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                folder.resolve("pingpong").toString(),
                medium.pingPong(),
                Long.toString(gap),
                Integer.toString(count))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = process.inputReader()) {
      return Figures.parse(out.readLine());
    } finally {
      process.waitFor();
    }
  }

  /** The program that calls, up to where its warm-up is over; perhaps apart from its backend. */
  public GatedProgram calls(String endpoint, List<String> arguments, boolean apart)
      throws IOException {
    ProcessBuilder calls = client(endpoint, "calls", arguments);
    if (apart) {
      calls.command().addAll(0, apart("caller"));
    }
    return new GatedProgram(calls.start());
  }

  /** A program on the JVM, likewise. */
  public GatedProgram java(Class<?> program, List<String> arguments, boolean apart)
      throws IOException {
    List<String> command = new ArrayList<>(apart ? apart("caller") : List.of());
    command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    return new GatedProgram(builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /**
   * Returns the beginning of a command that runs on the processors of one side alone: {@code
   * caller} or {@code other}.
   */
  public List<String> apart(String side) {
    return List.of(folder.resolve("apart").toString(), side);
  }

  /** Runs the program that copies, and returns its lines: memcpy first, then each kind of copy. */
  public List<String> copies(String endpoint, int megabytes, int repetitions)
      throws IOException, InterruptedException {
    List<String> arguments = List.of(Integer.toString(megabytes), Integer.toString(repetitions));
    Process process = client(endpoint, "copies", arguments).start();
    try (BufferedReader out = process.inputReader()) {
      List<String> lines = out.lines().toList();
      if (process.waitFor() != 0 || lines.size() < 2) {
        throw new IOException("the copying program failed over " + endpoint);
      }
      return lines;
    }
  }

  /** Runs the program that calls devices and copies from one to the other. */
  public Figures hosts(String endpoint, List<String> arguments)
      throws IOException, InterruptedException {
    Process process = client(endpoint, "hosts", arguments).start();
    try (BufferedReader out = process.inputReader()) {
      return Figures.parse(out.readLine());
    } finally {
      process.waitFor();
    }
  }

  /** GB/s of copies of 64 MiB from one device to another, for so many seconds. */
  public double copiesBetween(String endpoint, String from, String to, String seconds)
      throws IOException, InterruptedException {
    String megabytes = Integer.toString(MEGABYTES);
    double microseconds = hosts(endpoint, List.of("copies", from, to, megabytes, seconds)).p50();
    return (MEGABYTES << 20) / microseconds / 1e3;
  }

  private ProcessBuilder client(String endpoint, String program, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(folder.resolve(program).toString());
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("OUTBOARD", endpoint);
    builder.environment().put("OUTBOARD_SHM", endpoint.startsWith("shm") ? "1" : "0");
    builder.environment().put("LD_LIBRARY_PATH", libraries.toString());
    return builder.redirectError(ProcessBuilder.Redirect.INHERIT);
  }
}
