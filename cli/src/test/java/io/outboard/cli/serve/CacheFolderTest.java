// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CacheFolderTest {
  private static void isFor(String folder, Map<String, String> environment) {
    assertEquals(Optional.ofNullable(folder).map(Path::of), CacheFolder.of(environment));
  }

  @Test
  void isTheUsersCache() {
    isFor("/c/outboard/images", Map.of("XDG_CACHE_HOME", "/c", "HOME", "/h"));
    isFor("/h/.cache/outboard/images", Map.of("HOME", "/h"));
    isFor("/h/.cache/outboard/images", Map.of("XDG_CACHE_HOME", "relative", "HOME", "/h"));
    isFor("/h/.cache/outboard/images", Map.of("XDG_CACHE_HOME", "", "HOME", "/h"));
    isFor(null, Map.of("HOME", ""));
    isFor(null, Map.of());
  }
}
