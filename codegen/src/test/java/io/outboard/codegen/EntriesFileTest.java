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
    assertEquals(400, read("take\tdriver\t-!400").ends());
    assertEquals(0, read("take\tdriver\twaiting+late").ends());
    assertThrows(IOException.class, () -> read("take\tdriver\twaiting!"));
  }

  @Test
  void arguments() throws IOException {
    Entry entry = read("take\tnothing\t-\tto!1/count from? flags&0x7!1 mode=0-2,8!801 node~");
    assertEquals(
        new Entry.Rule("to", 1, "count", true, List.of(), Entry.Wrong.USUAL, Entry.Turn.USUAL),
        entry.rule("to").get());
    assertEquals(0, entry.rule("from").get().code());
    assertEquals(List.of(new Entry.Range(0, 0, ~7L)), entry.numbers("flags").getFirst().allowed());
    assertEquals(
        List.of(new Entry.Range(0, 2, -1), new Entry.Range(8, 8, -1)),
        entry.numbers("mode").getFirst().allowed());
    assertEquals(false, entry.rule("node").get().judged());
  }

  @Test
  void somethingWrong() throws IOException {
    Entry entry =
        read("take\tdriver:201+lost+late\t-\tevent*1 graph!400 graph*709,201 flags&0x7=0-2,4!1");
    assertTrue(entry.late());
    assertEquals(new Entry.Wrong(1, 1), entry.wrong("event"));
    assertEquals(new Entry.Wrong(709, 201), entry.wrong("graph"));
    assertEquals(400, entry.rule("graph").get().code());
    assertTrue(entry.rule("event").isEmpty());
    assertEquals(Entry.Wrong.USUAL, entry.wrong("flags"));
    assertEquals(
        List.of(new Entry.Range(0, 2, 7), new Entry.Range(4, 4, 7)),
        entry.numbers("flags").getFirst().allowed());
  }

  @Test
  void anotherOrder() throws IOException {
    Entry entry = read("take\tcontext+work\tunsafe+late\tto!1 ^mode=0!1 ^^flags&0x1!1");
    assertEquals(Entry.Capture.UNSAFE, entry.capture());
    assertTrue(entry.handlesFirst());
    assertTrue(entry.work());
    assertEquals(false, entry.kept());
    assertTrue(read("take\tdriver+kept\tunsafe").kept());
    assertEquals(Entry.Turn.USUAL, entry.rule("to").get().turn());
    assertEquals(Entry.Turn.FIRST, entry.numbers("mode").getFirst().turn());
    assertEquals(Entry.Turn.AT_ONCE, entry.numbers("flags").getFirst().turn());
    assertEquals(false, read("take\tcontext\tunsafe").handlesFirst());
  }

  @Test
  void otherWordsAreRefused() {
    assertThrows(IOException.class, () -> read("take\tnothing"));
    assertThrows(IOException.class, () -> read("take\t400\t-"));
    assertThrows(IOException.class, () -> read("take\tnothing\t-\tto!"));
  }
}
