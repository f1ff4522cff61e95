// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceChoiceTest {
  @Test
  void profilesHaveNamesAndNumbers() {
    DeviceChoice choice = DeviceChoice.parse("software:H100*4");
    assertEquals(new DeviceChoice(DeviceChoice.Kind.SOFTWARE, 4, "h100", ""), choice);
    assertEquals(choice, DeviceChoice.parse(choice.toString()));
    assertEquals(1, DeviceChoice.parse("software:t4").count());
    assertEquals("h200-mig", DeviceChoice.parse("software:h200-mig*2").profile());
    assertEquals("", DeviceChoice.parse("software:3").profile());
  }

  @ParameterizedTest
  @ValueSource(strings = {"software:", "software:t4*", "software:t4*0", "software:17", "t4"})
  void othersAreNone(String text) {
    assertThrows(IllegalArgumentException.class, () -> DeviceChoice.parse(text));
  }

  @Test
  void anUnknownProfileIsToldWhichThereAre() {
    String message =
        assertThrows(IllegalArgumentException.class, () -> DeviceChoice.parse("software:g80"))
            .getMessage();
    assertTrue(message.contains("a100, h100, h200, h200-mig, t4"), message);
  }

  @Test
  void openClMayNamePlatforms() {
    assertEquals(DeviceChoice.Kind.OPENCL, DeviceChoice.parse("opencl").kind());
    assertEquals("", DeviceChoice.parse("opencl").platform());
    assertEquals("Portable Computing", DeviceChoice.parse("opencl:Portable Computing").platform());
    assertEquals("opencl:pocl", DeviceChoice.parse("opencl:pocl").toString());
    assertThrows(IllegalArgumentException.class, () -> DeviceChoice.parse("openclx"));
  }
}
