// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerUsersTest {
  @Test
  void eachIsTakenOnce() throws IOException {
    WorkerUsers users = WorkerUsers.parse("60000-60001");
    assertEquals(60_000, users.take());
    assertEquals(60_001, users.take());
    IOException none = assertThrows(IOException.class, users::take);
    assertTrue(none.getMessage().contains("60000-60001"), none::getMessage);
    users.free(60_000);
    assertEquals(60_000, users.take());
  }

  @Test
  void oneIsARangeToo() {
    WorkerUsers users = WorkerUsers.parse("7");
    assertTrue(users.contains(7));
    assertFalse(users.contains(8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "nobody", "0-10", "-5", "9-8", "1-", "1-2-3", "1-99999999999"})
  void whatIsNoRangeIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> WorkerUsers.parse(text));
  }
}
