// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.vendor;

import static io.outboard.opencl.HostDevice.check;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.opencl.HostDevice;
import io.outboard.opencl.OpenClResult;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A program's binary of a device of this machine; skipped where there is none. */
class VendorBinariesTest {
  private static final int BINARY_SIZES = 0x1165;
  private static final String SOURCE = "__kernel void put(__global int *to) { to[0] = 1; }";

  private HostDevice device;
  private long program;
  private long length;

  @BeforeEach
  void open() {
    device = new HostDevice();
    MemorySegment source = device.arena.allocateFrom(SOURCE);
    program =
        device.made(
            device.host.clCreateProgramWithSource(
                device.context, source.address(), source.byteSize() - 1, device.place()));
    check(device.host.clBuildProgram(program, 1, device.device.address(), 0, 0, 0));
    length =
        device.made(
            device.host.clGetProgramInfo(program, BINARY_SIZES, Long.BYTES, device.place(), 0));
    assertTrue(length > 0);
  }

  @AfterEach
  void close() {
    check(device.host.clReleaseProgram(program));
    device.close();
  }

  private int fetch(MemorySegment to, long... lengths) {
    return device.host.outboardProgramBinaries(
        program, lengths.length, device.words(lengths), to.address(), to.byteSize());
  }

  /** The library writes as much as there is. */
  @Test
  void noLengthsButItsOwnAreTaken() {
    MemorySegment room = device.arena.allocate(length + 64);
    MemorySegment behind = room.asSlice(length - 1).fill((byte) 0x5a);
    assertEquals(OpenClResult.INVALID_VALUE, fetch(room.asSlice(0, length - 1), length - 1));
    assertEquals(OpenClResult.INVALID_VALUE, fetch(room.asSlice(0, length + 1), length + 1));
    assertEquals(OpenClResult.INVALID_VALUE, fetch(room.asSlice(0, length - 1), length));
    assertEquals(-1, behind.mismatch(MemorySegment.ofArray(filled(behind.byteSize()))));
    check(fetch(room.asSlice(0, length), length));
    assertEquals((byte) 0x5a, room.get(JAVA_BYTE, length));
  }

  private static byte[] filled(long bytes) {
    byte[] all = new byte[(int) bytes];
    Arrays.fill(all, (byte) 0x5a);
    return all;
  }
}
