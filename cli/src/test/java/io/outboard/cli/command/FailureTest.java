// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

final class FailureTest {
  @Test
  void whatAFileDoesNotAllowIsSaid() {
    assertEquals(
        "/x: this user may not do that there",
        new Failure(new AccessDeniedException("/x")).getMessage());
    assertEquals(
        "/x: there is no such file or folder",
        new Failure(new NoSuchFileException("/x")).getMessage());
  }
}
