// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The pieces to run.
 *
 * @param programs where it is
 * @param python the interpreter
 * @param percent how often the C programs do what they measure; 100 for a GPU
 * @param megabytes the size of large copies
 * @param torch the figures of PyTorch that are wanted
 */
public record Pieces(
    Installation programs, String python, int percent, int megabytes, List<String> torch) {
  private static final Duration SHORT = Duration.ofSeconds(100);
  private static final Duration LONG = Duration.ofSeconds(280);
  private static final List<String> SHAPED =
      List.of("cuda_start", "resnet_train", "gpt2_train", "gpt2_decode");

  /** Steps that are counted, and how many the shorter run takes. */
  private static final int FEW = 2;

  private static final int MANY = 12;

  /** The pieces of a group. */
  public List<Piece> of(Group group) throws IOException {
    return switch (group) {
      case MICRO -> List.of(program(group, "micro", "calls", Integer.toString(percent)));
      case COPIES -> List.of(program(group, "micro", "copies", Integer.toString(megabytes)));
      case PROGRAMS -> kernels();
      case STARTUP -> List.of(startUp());
      case TORCH -> List.of(script(group, "torch", "torch_figures.py", torch));
      case SHAPED ->
          List.of(
              script(
                  group,
                  "torch",
                  "torch_figures.py",
                  SHAPED.stream().filter(torch::contains).toList()));
      case TRIPS -> trips();
      case FIDELITY ->
          Stream.of("resnet18", "gpt2")
              .map(model -> script(group, model, "fidelity.py", List.of(model)))
              .toList();
      case WRONG -> wrong();
      case FRAMEWORKS -> frameworks();
    };
  }

  private Piece program(Group group, String program, String... arguments) {
    List<String> command = new ArrayList<>(List.of(programs.program(program)));
    command.addAll(List.of(arguments));
    return new Piece(group, arguments[0], command, Reading.LINES, SHORT);
  }

  private List<Piece> kernels() {
    return Stream.of("histogram", "matrixMul", "scalarProd")
        .map(name -> program(Group.PROGRAMS, "kernels", name, Integer.toString(percent)))
        .toList();
  }

  private Piece startUp() {
    return new Piece(
        Group.STARTUP, "vectorAdd", List.of(programs.program("vectorAdd")), Reading.SECONDS, SHORT);
  }

  private Piece script(Group group, String name, String file, List<String> arguments) {
    return script(group, name, file, arguments, Reading.LINES);
  }

  private Piece script(
      Group group, String name, String file, List<String> arguments, Reading reading) {
    List<String> command = new ArrayList<>(List.of(python, programs.program(file)));
    command.addAll(arguments);
    return new Piece(group, name, command, reading, LONG);
  }

  private List<Piece> trips() {
    List<Piece> pieces = new ArrayList<>();
    pieces.add(
        new Piece(
            Group.TRIPS,
            "vectorAdd/1",
            List.of(programs.program("vectorAdd")),
            Reading.REPORT,
            SHORT));
    pieces.add(steps("cuda_start", 1));
    for (String work : List.of("resnet_train", "gpt2_train", "gpt2_decode", "bert_infer")) {
      pieces.add(steps(work, FEW));
      pieces.add(steps(work, MANY));
    }
    return pieces;
  }

  private Piece steps(String work, int steps) {
    return script(
        Group.TRIPS,
        work + "/" + steps,
        "torch_steps.py",
        List.of(work, Integer.toString(steps)),
        Reading.REPORT);
  }

  /** The program says which things it can do wrong. */
  private List<Piece> wrong() throws IOException {
    String program = programs.program("wrong");
    return Files.readString(Path.of(program + ".cases"))
        .lines()
        .map(name -> new Piece(Group.WRONG, name, List.of(program, name), Reading.TEXT, SHORT))
        .toList();
  }

  private List<Piece> frameworks() throws IOException {
    try (Stream<Path> scripts = Files.list(programs.programs().resolve("frameworks"))) {
      return scripts
          .map(path -> path.getFileName().toString())
          .filter(name -> name.endsWith(".py") && !name.startsWith("_"))
          .sorted()
          .map(
              name ->
                  script(
                      Group.FRAMEWORKS,
                      name.replace(".py", ""),
                      "frameworks/" + name,
                      List.of(),
                      Reading.TEXT))
          .toList();
    }
  }
}
