// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.seeds;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.bench.measure.Backend;
import io.outboard.bench.measure.Machine;
import io.outboard.bench.measure.Median;
import io.outboard.bench.measure.Medium;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code outboard bench seeds}. */
@Command(
    name = "seeds",
    mixinStandardHelpOptions = true,
    description = {
      "Measures histogram, matrixMul and scalarProd, whose data is on the device, as a rate of one thread of this machine's processor:",
      "on the GPU without Outboard, over each medium, and in virtual machines. All take turns; the medians are shown."
    })
public final class SeedsBench implements Callable<Integer> {
  private static final List<String> PROGRAMS = List.of("histogram", "matrixMul", "scalarProd");
  private static final Pattern FIGURE = Pattern.compile("\"value\":([-+.0-9e]+)");
  private static final String NATIVE = "the GPU, without Outboard";
  private static final String PROCESSOR = "the processor, one thread";

  @Option(
      names = "--device",
      paramLabel = "DEVICE",
      defaultValue = "software",
      description = "As of 'serve'. Default: ${DEFAULT-VALUE}")
  private String device;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "Runs of each cell. Default: ${DEFAULT-VALUE}")
  private int rounds;

  @Option(
      names = "--percent",
      paramLabel = "N",
      defaultValue = "5",
      description =
          "So much of the repetitions of NVIDIA's samples; 100 for a GPU. Default: ${DEFAULT-VALUE}")
  private int percent;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      defaultValue = "10",
      description = "Of the processor's work. Default: ${DEFAULT-VALUE}")
  private int repetitions;

  @Option(
      names = "--guest",
      paramLabel = "NAME=WORDS",
      description = {
        "A row for a virtual machine: WORDS are put before 'kernels PROGRAM PERCENT' and run it there over its own way to this host,",
        "for example 'virtio-serial, KVM=ssh guest outboard-run --'. May be given several times."
      })
  private final Map<String, String> guests = new LinkedHashMap<>();

  private final Path home = Path.of(System.getProperty("outboard.home", ""));

  /** One row: how a program begins there, and what it finds in its environment. */
  private record Row(String where, List<String> words, Map<String, String> variables) {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<String> launcher = List.of(home.resolve("outboard").toString());
    System.out.printf("%s%n%n", Machine.current());
    try (Backend backend = Backend.start(launcher, device)) {
      System.out.printf("Device: %s. ms of one time, and the rate of the processor's.%n%n", device);
      print(measured(rows(backend)));
    }
    return 0;
  }

  private List<Row> rows(Backend backend) {
    String kernels = program("kernels");
    List<Row> rows = new ArrayList<>();
    rows.add(new Row(PROCESSOR, List.of(program("processor")), Map.of()));
    rows.add(new Row(NATIVE, List.of(kernels), Map.of()));
    for (Medium medium : Medium.values()) {
      String endpoint = medium.endpoint(backend);
      Map<String, String> variables =
          Map.of(
              "OUTBOARD",
              endpoint,
              "OUTBOARD_SHM",
              medium == Medium.SHM ? "1" : "0",
              "LD_LIBRARY_PATH",
              home.resolve("frontend/target/lib").toString());
      rows.add(new Row("over " + medium, List.of(kernels), variables));
    }
    guests.forEach(
        (name, words) ->
            rows.add(
                new Row(
                    "in a guest: " + name,
                    Stream.concat(Stream.of(words.split(" ")), Stream.of("kernels")).toList(),
                    Map.of())));
    return rows;
  }

  private String program(String name) {
    return home.resolve("bench/target/gpu").resolve(name).toString();
  }

  /** By row and program; a row without a GPU has none. */
  private Map<Row, Map<String, List<Double>>> measured(List<Row> rows)
      throws IOException, InterruptedException {
    Map<Row, Map<String, List<Double>>> all = new LinkedHashMap<>();
    rows.forEach(row -> all.put(row, new LinkedHashMap<>()));
    for (int round = 0; round < rounds; round++) {
      for (String program : PROGRAMS) {
        for (Row row : rows) {
          OptionalDouble figure = run(row, program);
          List<Double> figures = all.get(row).computeIfAbsent(program, _ -> new ArrayList<>());
          figure.ifPresent(figures::add);
        }
      }
    }
    return all;
  }

  private OptionalDouble run(Row row, String program) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(row.words());
    words.add(program);
    words.add(Integer.toString(row.where().equals(PROCESSOR) ? repetitions : percent));
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().putAll(row.variables());
    Process process = builder.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    Matcher figure = FIGURE.matcher(said);
    if (process.waitFor() == 0 && figure.find()) {
      return OptionalDouble.of(Double.parseDouble(figure.group(1)));
    }
    if (row.where().equals(NATIVE)) {
      return OptionalDouble.empty();
    }
    throw new IOException("%s %s failed: %s".formatted(program, row.where(), said.strip()));
  }

  private static void print(Map<Row, Map<String, List<Double>>> all) {
    System.out.println("| where | " + String.join(" | ", PROGRAMS) + " |");
    System.out.println("|---" + "|---".repeat(PROGRAMS.size()) + "|");
    Map<String, List<Double>> processor = all.values().iterator().next();
    all.forEach((row, figures) -> System.out.println(line(row, figures, processor)));
  }

  private static String line(
      Row row, Map<String, List<Double>> figures, Map<String, List<Double>> processor) {
    StringBuilder line = new StringBuilder("| ").append(row.where());
    for (String program : PROGRAMS) {
      line.append(" | ").append(cell(figures.get(program), processor.get(program)));
    }
    return line.append(" |").toString();
  }

  private static String cell(List<Double> figures, List<Double> processor) {
    if (figures.isEmpty()) {
      return "not here";
    }
    double here = median(figures);
    return "%.3g; %.3g×".formatted(here, median(processor) / here);
  }

  private static double median(List<Double> figures) {
    return Median.of(figures.stream().mapToDouble(Double::doubleValue).toArray());
  }
}
