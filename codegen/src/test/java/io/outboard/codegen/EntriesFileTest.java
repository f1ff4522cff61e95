// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.codegen.check.EntriesFile;
import io.outboard.codegen.model.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read of a list of entries. */
class EntriesFileTest {
  @TempDir private Path folder;

  private Entry read(String line) throws IOException {
    Path file = Files.writeString(folder.resolve("entries.tsv"), "# a comment\n" + line + "\n");
    return EntriesFile.read(file).get("take");
  }

  @Test
  void needsAndCaptures() throws IOException {
    Entry entry = read("take\tcontext:400+lost\tunsafe");
    assertEquals(Entry.Need.CONTEXT, entry.need());
    assertEquals(400, entry.before());
    assertTrue(entry.lost());
    assertEquals(Entry.Capture.UNSAFE, entry.capture());
    assertEquals(1, read("take\tquiet\t-").before());
    assertEquals(3, read("take\tdriver\t-").before());
  }

  @Test
  void arguments() throws IOException {
    Entry entry = read("take\tnothing\t-\tto!1/count from? flags&0x7!1 mode=0-2,8!801 node~");
    assertEquals(new Entry.Rule("to", 1, "count", true, List.of()), entry.rule("to").get());
    assertEquals(0, entry.rule("from").get().code());
    assertEquals(List.of(new Entry.Range(7, 7, true)), entry.numbers("flags").getFirst().allowed());
    assertEquals(
        List.of(new Entry.Range(0, 2, false), new Entry.Range(8, 8, false)),
        entry.numbers("mode").getFirst().allowed());
    assertEquals(false, entry.rule("node").get().judged());
  }

  @Test
  void otherWordsAreRefused() {
    assertThrows(IOException.class, () -> read("take\tnothing"));
    assertThrows(IOException.class, () -> read("take\t400\t-"));
    assertThrows(IOException.class, () -> read("take\tnothing\t-\tto!"));
  }
}
