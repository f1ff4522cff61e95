// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class UsersTest {
  private static final int NOBODYS = 1_999_999_999;

  @Test
  void aUserHasAName() {
    assertEquals("root", Users.name(0));
    assertEquals(System.getProperty("user.name"), Users.name(Processes.getuid()));
  }

  @Test
  void oneWithoutANameHasANumber() {
    assertEquals("1999999999", Users.name(NOBODYS));
  }
}
