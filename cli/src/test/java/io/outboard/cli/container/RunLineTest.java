// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RunLineTest {
  private static RunLine docker(String words) {
    return RunLine.parse(Engine.DOCKER, List.of(words.split(" ")));
  }

  private static RunLine podman(String words) {
    return RunLine.parse(Engine.PODMAN, List.of(words.split(" ")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--rm image --gpus 2",
        "-it image --gpus 2",
        "-itv /here:/there image --gpus 2",
        "-v/here:/there image --gpus 2",
        "-itv=/here:/there image --gpus 2",
        "--name one --env NAME=value image --gpus 2",
        "--name=one --init=false -p 80:80 image --gpus 2",
        "--rm -- image --gpus 2",
      })
  void theImageIsTheFirstWordThatIsNoOptions(String words) {
    RunLine line = docker(words);
    assertEquals("image", line.image());
    assertEquals(List.of("--gpus", "2"), line.command());
    assertEquals(Optional.empty(), line.gpus());
    String before = words.substring(0, words.indexOf(" image"));
    assertEquals(before.replaceFirst(" --$", ""), String.join(" ", line.options()));
  }

  @ParameterizedTest
  @CsvSource({
    "--gpus 2 --rm image, 2",
    "--gpus=3 --rm image, 3",
    "--gpus count=4 --rm image, 4",
    "--gpus all --rm image,",
    "--device nvidia.com/gpu=all --rm image,",
    "--runtime nvidia --rm image,",
    "--runtime=nvidia --rm image,",
  })
  void whatAsksForAGpuOfThisMachineIsTakenAway(String words, Integer gpus) {
    RunLine line = docker(words);
    assertEquals(Optional.ofNullable(gpus), line.gpus());
    assertEquals(List.of("--rm"), line.options());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--gpus device=0 image",
        "--gpus 0 image",
        "--gpus -1 image",
        "--gpus 12345 image",
        "--rm",
        "--name",
        "--",
      })
  void whatCannotBeUnderstoodIsRefused(String words) {
    assertThrows(IllegalArgumentException.class, () -> docker(words));
  }

  @Test
  void whatTheCommandHasToKnowIsFound() {
    RunLine line = docker("-d --entrypoint /bin/sh --network=host --cidfile f image -c true");
    assertEquals(Optional.of("/bin/sh"), line.entrypoint());
    assertEquals("host", line.network());
    assertEquals(Optional.of("f"), line.cidFile());
    assertEquals(List.of("-d", "--network=host", "--cidfile", "f"), line.options());
    assertTrue(line.detached());
    assertTrue(docker("-itd image").detached());
    assertTrue(docker("-de NAME image").detached());
    assertFalse(docker("-ed NAME").detached());
    assertFalse(docker("--name d image").detached());
  }

  @Test
  void podmanHasOptionsOfItsOwn() {
    assertTrue(podman("--rootfs folder command").rootFolder());
    assertEquals("folder", podman("--rootfs folder command").image());
    assertEquals("command", docker("--rootfs folder command").image());
  }
}
