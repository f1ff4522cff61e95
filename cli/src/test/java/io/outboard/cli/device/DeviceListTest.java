// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What is said of devices, and the reach of OpenCL's, of which OpenCL itself says nothing. */
class DeviceListTest {
  private static Device device(String name, HostReach reach) {
    return new Device(0, name, "", "9.0", 132, 1 << 30).reaching(reach);
  }

  private static HostReach reach(Device openCl, Device... cuda) {
    return DeviceList.reachedAs(openCl, List.of(cuda)).reach();
  }

  @Test
  void aGpuReachesUnderOpenClWhatItReachesUnderCuda() {
    Device gpu = device("H100", HostReach.UNKNOWN);
    assertEquals(HostReach.NONE, reach(gpu, device("H100", HostReach.NONE)));
    assertEquals(HostReach.PAGEABLE, reach(gpu, device("H100", HostReach.PAGEABLE)));
    Device pageable = device("H100", HostReach.PAGEABLE);
    assertEquals(HostReach.PAGEABLE, reach(gpu, device("H100", HostReach.NONE), pageable));
  }

  @Test
  void noNameSteersATerminal() {
    Device lie = device("a\033[2J\u009bb\nc", HostReach.NONE).of("tcp://h\033[2J");
    assertEquals("a?[2J?b?c", lie.name());
    assertEquals("tcp://h?[2J", lie.host());
  }

  @Test
  void aDeviceThatCudaDoesNotHaveStaysUnknown() {
    assertEquals(HostReach.UNKNOWN, reach(device("gfx942", HostReach.UNKNOWN)));
    Device other = device("H100", HostReach.NONE);
    assertEquals(HostReach.UNKNOWN, reach(device("gfx942", HostReach.UNKNOWN), other));
  }

  @Test
  void aProcessorIsInTheWorkersProcessWhateverItsName() {
    Device processor = device("cpu", HostReach.PROCESS);
    assertEquals(HostReach.PROCESS, reach(processor, device("cpu", HostReach.NONE)));
  }
}
