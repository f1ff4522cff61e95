// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class DeviceProfileTest {
  @Test
  void everyProfileIsWhole() {
    assertFalse(DeviceProfile.names().isEmpty());
    for (String name : DeviceProfile.names()) {
      DeviceProfile profile = DeviceProfile.named(name);
      assertTrue(profile.name().endsWith("(software)"), profile.name());
      assertTrue(profile.attribute(DeviceAttribute.MULTIPROCESSOR_COUNT) > 1, name);
      assertTrue(profile.attribute(DeviceAttribute.MAX_THREADS_PER_BLOCK) == 1024, name);
    }
  }

  @Test
  void architecturesAreThoseOfTheGpus() {
    assertEquals(75, DeviceProfile.named("t4").architecture());
    assertEquals(80, DeviceProfile.named("a100").architecture());
    assertEquals(90, DeviceProfile.named("h200").architecture());
  }
}
