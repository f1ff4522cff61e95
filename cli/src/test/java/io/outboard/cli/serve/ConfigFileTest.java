// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

final class ConfigFileTest {
  @TempDir private Path folder;

  private List<String> expand(String text, String... typed) throws IOException {
    Path file = Files.writeString(folder.resolve("serve.conf"), text);
    List<String> words = new ArrayList<>(List.of("serve", "--config", file.toString()));
    words.addAll(List.of(typed));
    String[] all = ConfigFile.expand(new CommandLine(new Serve()), words.toArray(String[]::new));
    return List.of(all).subList(1, all.length - words.size() + 1);
  }

  @Test
  void linesAreOptionsAsTheyWouldBeTyped() throws Exception {
    assertEquals(
        List.of("--device=software:2", "--listen=tcp://[::1]:0", "--listen=unix:/a=b", "--mps"),
        expand(
            """
            # a comment
            device = software:2
              listen=tcp://[::1]:0

            listen = unix:/a=b
            mps
            require-lease = false
            """));
  }

  @Test
  void whatIsTypedCountsInstead() throws Exception {
    String file = "device = software\nworkers = 2\nlisten = unix:/a\n";
    assertEquals(List.of("--workers=2"), expand(file, "--device=nvidia", "--listen", "unix:/b"));
  }

  @ParameterizedTest
  @CsvSource({
    "listn = unix:/a, 'there is no option ''listn'' for a file; did you mean: listen?'",
    "check-config, 'there is no option ''check-config'' for a file'",
    "device, 'device'' wants a value'",
    "mps = perhaps, 'true or false, not ''perhaps'''",
  })
  void whatIsNoOptionIsRefusedWithItsLine(String line, String why) {
    ParameterException error =
        assertThrows(ParameterException.class, () -> expand("# first\n" + line + "\n"));
    String start = folder.resolve("serve.conf") + ", line 2: ";
    assertEquals(start, error.getMessage().substring(0, start.length()));
    assertEquals(true, error.getMessage().endsWith(why), error::getMessage);
  }

  @Test
  void whatIsThereOnceIsNotThereTwice() {
    ParameterException error =
        assertThrows(ParameterException.class, () -> expand("workers=1\nworkers=2\n"));
    assertEquals(true, error.getMessage().endsWith("line 2: 'workers' is there twice"));
  }
}
