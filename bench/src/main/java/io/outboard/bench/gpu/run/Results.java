// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.run;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All runs so far, which are also in a file at any time, so that who is killed loses nothing. */
public final class Results {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String machine;
  private final Path file;
  private final List<Run> runs = new ArrayList<>();

  /**
   * None yet.
   *
   * @param machine what is measured on, and when
   * @param file where the results go; null for nowhere
   */
  public Results(String machine, Path file) {
    this.machine = machine;
    this.file = file;
  }

  /** Those of one or several files, as if one process had measured them all. */
  public static Results read(List<Path> files) throws IOException {
    List<String> machines = new ArrayList<>();
    List<Run> all = new ArrayList<>();
    for (Path file : files) {
      JsonNode tree = JSON.readTree(file.toFile());
      machines.add(tree.path("machine").asText());
      int source = machines.size();
      JSON.convertValue(tree.path("runs"), new TypeReference<List<Run>>() {})
          .forEach(run -> all.add(run.from(source)));
    }
    Results results = new Results(String.join("; ", machines.stream().distinct().toList()), null);
    results.runs.addAll(all);
    return results;
  }

  public void add(Run run) throws IOException {
    runs.add(run);
    if (file != null) {
      write();
    }
  }

  private void write() throws IOException {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("machine", machine);
    all.put("runs", runs);
    Path whole = file.resolveSibling(file.getFileName() + ".part");
    JSON.writerWithDefaultPrettyPrinter().writeValue(whole.toFile(), all);
    Files.move(whole, file, StandardCopyOption.REPLACE_EXISTING);
  }

  public String machine() {
    return machine;
  }

  public List<Run> of(Group group) {
    return runs.stream().filter(run -> run.group() == group).toList();
  }

  /** How often a piece has failed over a way, without any figure. */
  long failures(Piece piece, Way way) {
    return of(piece.group()).stream()
        .filter(run -> run.piece().equals(piece.name()) && run.way().equals(way.name()))
        .filter(run -> run.failure() != null && run.figures().isEmpty())
        .count();
  }
}
