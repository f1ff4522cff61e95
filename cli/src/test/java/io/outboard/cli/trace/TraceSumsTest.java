// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.api.json.Json;
import io.outboard.cli.command.Answer;
import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Line;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sums of a trace, and its page. */
final class TraceSumsTest {
  private static final List<String> EVENTS =
      List.of(
          "[{'name':'process_name','ph':'M','pid':1,'args':{'name':'program'}}",
          ",{'name':'process_name','ph':'M','pid':3,'args':{'name':'GPU 0'}}",
          ",{'name':'thread_name','ph':'M','pid':3,'tid':7,'args':{'name':'stream 7'}}",
          ",{'name':'cuLaunchKernel','ph':'X','pid':1,'tid':1,'ts':1000.000,'dur':10.000,'args':{}}",
          ",{'name':'add','ph':'X','pid':3,'tid':7,'ts':1100.000,'dur':400.000,'args':{}}",
          ",{'name':'work','ph':'s','id':1,'pid':1,'tid':1,'ts':1000.000}",
          ",{'name':'add','ph':'X','pid':3,'tid':8,'ts':1300.000,'dur':300.000,'args':{}}",
          ",{'name':'</script>','ph':'X','pid':3,'tid':7,'ts':1900.000,'dur':100.000,'args':{}}");

  @TempDir Path folder;

  private Path file(String end) throws IOException {
    String text = String.join("\n", EVENTS).replace('\'', '"') + end;
    return Files.writeString(folder.resolve("trace.json"), text);
  }

  @Test
  void devicesAreSummedFirst() throws Exception {
    Answer answer = new TraceSums(Trace.read(file("]\n"))).answer();
    List<String> lines = answer.lines().stream().map(Line::text).toList();
    assertEquals("GPU 0               2        0.700      350.000  add", lines.get(1));
    assertTrue(lines.get(3).endsWith("cuLaunchKernel"), lines::toString);
    assertEquals("GPU 0 works 60.0 % of 0.001 s", lines.getLast());
    Map<?, ?> json = (Map<?, ?>) answer.json();
    assertEquals(Map.of("GPU 0", 0.6), json.get("busy"));
  }

  /** A program that was killed leaves a file without an end. */
  @Test
  void aFileThatIsCutIsRead() throws Exception {
    assertEquals(4, Trace.read(file(",\n{\"name\":\"cuMemA")).slices().size());
    Path other = Files.writeString(folder.resolve("other"), "nothing");
    assertThrows(Failure.class, () -> Trace.read(other));
  }

  @Test
  void aPageHasAllSlicesAndNothingElse() throws Exception {
    Path page = folder.resolve("page.html");
    assertEquals(0, new TimelinePage(Trace.read(file("]"))).write(page));
    String text = Files.readString(page);
    String begin = "type=\"application/json\">";
    String data = text.substring(text.indexOf(begin) + begin.length());
    Map<?, ?> json = (Map<?, ?>) Json.read(data.substring(0, data.indexOf("</script>")));
    assertEquals(
        List.of("GPU 0, stream 7", "GPU 0, thread 8", "program, thread 1"), json.get("tracks"));
    assertEquals(4, ((List<?>) json.get("slices")).size());
    assertTrue(((List<?>) json.get("names")).contains("</script>"));
    assertFalse(text.contains("http"), "it loads nothing");
  }
}
