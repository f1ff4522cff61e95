// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.table;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.bench.gpu.run.Group;
import io.outboard.bench.gpu.run.Results;
import io.outboard.bench.gpu.run.Run;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TablesTest {
  private final Results results = new Results("a machine", null);

  private void add(
      Group group, String piece, String way, Map<String, Double> figures, Map<String, String> notes)
      throws IOException {
    results.add(new Run(0, group, piece, 1, way, figures, notes, null));
  }

  private void assertRow(String row) {
    String tables = new Tables(results).render();
    assertTrue(tables.contains("\n" + row + "\n"), tables);
  }

  @Test
  void aMissedFigureIsBold() throws IOException {
    add(Group.COPIES, "copies", "native", Map.of("copy_pinned_up", 50.0), Map.of());
    add(Group.COPIES, "copies", "unix", Map.of("copy_pinned_up", 5.0), Map.of());
    assertRow(
        "| page-locked from the device, GB/s | 50.0 | 5.00; 0.100× (0.100–0.100); **missed** ≥ 0.98× |");
  }

  @Test
  void aFigureWithoutNativeIsShownAlone() throws IOException {
    add(Group.TORCH, "torch", "native", Map.of(), Map.of("bert_infer", "not run: no torch"));
    add(Group.TORCH, "torch", "shm", Map.of("bert_infer", 7.0), Map.of());
    assertRow("| BERT b8, inference, ms | not run: no torch | 7.00 |");
  }

  @Test
  void eachFurtherStepIsTheDifference() throws IOException {
    add(
        Group.TRIPS,
        "train/2",
        "shm",
        Map.of("train/2", 40.0, "cuInit", 30.0, "cuX", 10.0),
        Map.of());
    add(
        Group.TRIPS,
        "train/12",
        "shm",
        Map.of("train/12", 60.0, "cuInit", 30.0, "cuX", 30.0),
        Map.of());
    assertRow("| train/2 | shm | 40 | 2 | cuX 2 |");
  }

  @Test
  void slowLinksAreBoundedByTheirRoundTrips() throws IOException {
    add(
        Group.SHAPED,
        "torch",
        "native",
        Map.of("resnet_train", 18.0, "gpt2_decode", 200.0),
        Map.of());
    add(
        Group.SHAPED,
        "torch",
        "tcp, 30 ms",
        Map.of("resnet_train", 77.0, "gpt2_decode", 28.0),
        Map.of());
    assertRow(
        "| ResNet-50 b32, training step, ms | tcp, 30 ms | 18.0 | 77.0 (4.28–4.28×) | ≤ 78.0 | met |");
    assertRow(
        "| GPT-2, decoding, tokens/s | tcp, 30 ms | 200 | 28.0 (0.140–0.140×) | ≥ 28.6 | **missed** |");
  }

  @Test
  void equalNumbersAreEqual() throws IOException {
    Map<String, String> numbers = Map.of("loss 1", "0x1.8p+1", "weights", "ab");
    add(Group.FIDELITY, "gpt2", "native", Map.of(), numbers);
    add(Group.FIDELITY, "gpt2", "shm", Map.of(), numbers);
    add(Group.FIDELITY, "gpt2", "tcp", Map.of(), Map.of("loss 1", "0x1.8p+1", "weights", "ac"));
    assertRow("| gpt2 | shm | equal: 2 numbers |");
    assertRow("| gpt2 | tcp | **differs** at weights: ab, ac |");
  }

  @Test
  void whatDiffersFromNativeIsBold() throws IOException {
    add(Group.WRONG, "trap", "native", Map.of(), Map.of("trap", "719"));
    add(Group.WRONG, "trap", "shm", Map.of(), Map.of("trap", "719"));
    add(Group.WRONG, "trap", "tcp", Map.of(), Map.of("trap", "700"));
    assertRow("| trap | 719 | 719 | **700** |");
  }
}
