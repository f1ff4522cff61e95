// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ApptainerLineTest {
  private static ApptainerLine line(String words) {
    return ApptainerLine.parse(List.of(words.split(" ")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "exec image --nv one",
        "exec --nv -c --bind /a:/b image --nv one",
        "exec --bind=/a:/b -B/a:/b --rocm image --nv one",
        "exec -eB /a:/b --nvccli -- image --nv one"
      })
  void whatFollowsTheImageIsTheProgram(String words) {
    ApptainerLine line = line(words);
    assertEquals("image", line.image());
    assertEquals(List.of("--nv", "one"), line.command());
    assertTrue(line.options().stream().noneMatch(List.of("--nv", "--nvccli", "--rocm")::contains));
  }

  @Test
  void anImagesOwnProgramIsStartedByItsName() {
    assertEquals(
        List.of("/.singularity.d/runscript", "one", "two"), line("run image one two").command());
    assertEquals(List.of("/.singularity.d/runscript"), line("run image").command());
  }

  @Test
  void theNetworkIsTheMachinesUnlessTheLineSaysOtherwise() {
    assertTrue(line("exec image one").hasHostsNetwork());
    assertFalse(line("exec --net image one").hasHostsNetwork());
    assertFalse(line("exec -cn image one").hasHostsNetwork());
  }

  @ParameterizedTest
  @ValueSource(strings = {"shell image", "exec", "exec image", "run --bind", "pull image"})
  void whatHasNoProgramIsRefused(String words) {
    assertThrows(IllegalArgumentException.class, () -> line(words));
  }
}
