// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.outboard.cli.command.Failure;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** As Docker's reference has it, "CMD and ENTRYPOINT". */
final class ImageTest {
  private static final Image BOTH = new Image(List.of("/enter"), List.of("usual"));
  private static final Image COMMAND = new Image(List.of(), List.of("usual"));

  @ParameterizedTest
  @CsvSource({
    "image, /enter usual, usual",
    "image own word, /enter own word, own word",
    "--entrypoint /other image, /other, /other",
    "--entrypoint /other image own, /other own, /other own",
    "--entrypoint= image own, own, own",
  })
  void aContainerStartsWhatTheImageOrTheLineSays(String words, String both, String command)
      throws Failure {
    RunLine line = RunLine.parse(Engine.DOCKER, List.of(words.split(" ")));
    assertEquals(both, String.join(" ", BOTH.started(line)));
    assertEquals(command, String.join(" ", COMMAND.started(line)));
  }

  @ParameterizedTest
  @CsvSource({"image", "--entrypoint= image"})
  void nothingIsNoCommand(String words) {
    RunLine line = RunLine.parse(Engine.DOCKER, List.of(words.split(" ")));
    assertThrows(Failure.class, () -> Image.OF_FOLDER.started(line));
  }
}
