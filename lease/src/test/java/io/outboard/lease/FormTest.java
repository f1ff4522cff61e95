// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

final class FormTest {
  @Test
  void whatIsWrittenIsRead() {
    Form form = new Form().with("a b", "x&y=z").with("empty", "").with("ü", "\n\u20ac");
    assertEquals(form.values(), Form.parse(form.toString()).values());
    assertEquals("", Form.parse("").toString());
  }

  @Test
  void whatIsMissingIsEmptyOrAnother() {
    Form form = Form.parse("n=5");
    assertEquals(5, form.number("n", 1));
    assertEquals(1, form.number("m", 1));
    assertEquals("", form.get("m"));
    assertEquals("other", form.get("m", "other"));
  }

  @Test
  void whatIsNoFormIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> Form.parse("a"));
    assertThrows(IllegalArgumentException.class, () -> Form.parse("a=%zz"));
    assertThrows(IllegalArgumentException.class, () -> Form.parse("a=x").number("a", 0));
  }
}
