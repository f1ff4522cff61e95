// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.outboard.codegen.check.CallbacksFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The numbers by which tools are told of functions. */
final class CallbacksFileTest {
  @TempDir private Path folder;

  private Map<String, Integer> read(String text) throws IOException {
    return CallbacksFile.read(Files.writeString(folder.resolve("callbacks.tsv"), text));
  }

  @Test
  void aLineIsASymbolAndItsNumber() throws IOException {
    assertEquals(
        Map.of("cuInit", 1, "cuLaunchKernel", 307),
        read("# head\ncuInit\t1\n\ncuLaunchKernel\t307\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"cuInit 1", "cuInit", "cuInit\t-1", "cuInit\t1\t2", "cuInit\t10000"})
  void anythingElseIsRefused(String line) {
    assertThrows(IOException.class, () -> read(line + "\n"));
  }
}
