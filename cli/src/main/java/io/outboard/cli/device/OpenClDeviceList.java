// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.device;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.outboard.client.ClientLibrary;
import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.OpenClDriverTable;
import io.outboard.opencl.OpenClResult;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Asks a backend which OpenCL devices it has. */
final class OpenClDeviceList {
  /** The library, as a session is opened for it. */
  static final ClientLibrary LIBRARY =
      new ClientLibrary(
          OpenClDriverTable.LIBRARY,
          OpenClDriverTable.ID,
          OpenClDriverTable.LEVEL,
          OpenClDriverTable.DIGEST,
          OpenClDriverTable.UNAVAILABLE);

  // cl_device_info and cl_device_type of the OpenCL specification.
  private static final int NAME = 0x102B;
  private static final int VERSION = 0x102F;
  private static final int MAX_COMPUTE_UNITS = 0x1002;
  private static final int GLOBAL_MEM_SIZE = 0x101F;
  private static final int TYPE = 0x1000;
  private static final long TYPE_ALL = 0xFFFFFFFFL;
  private static final long TYPE_CPU = 1 << 1;

  private static final int MOST = 64;
  private static final int ROOM = 256;
  private static final String SPACE = " ";
  private static final String NO_UUID = "";
  private static final int UUID = 0x106A;
  private static final int UUID_BYTES = 16;

  private final OpenClDriver driver;
  private final MemorySegment scratch;
  private final MemorySegment handles;

  OpenClDeviceList(OpenClDriver driver, Arena arena) {
    this.driver = driver;
    this.scratch = arena.allocate(ROOM, Long.BYTES);
    this.handles = arena.allocate(JAVA_LONG, MOST);
  }

  /**
   * All devices of all platforms.
   *
   * @param named whether they have their UUIDs, where they tell them
   */
  List<Device> all(boolean named) throws IOException {
    List<Device> devices = new ArrayList<>();
    check(driver.clGetPlatformIDs(MOST, handles.address(), scratch.address()));
    for (long platform : found()) {
      for (long device : devicesOf(platform)) {
        String uuid = named ? uuid(device) : NO_UUID;
        boolean known = devices.stream().anyMatch(other -> other.uuid().equals(uuid));
        devices.add(device(devices.size(), device, known ? NO_UUID : uuid));
      }
    }
    return devices;
  }

  /** A platform may have none, as PoCL where it has no folder to work in. */
  private long[] devicesOf(long platform) throws IOException {
    int result =
        driver.clGetDeviceIDs(platform, TYPE_ALL, MOST, handles.address(), scratch.address());
    if (result == OpenClResult.DEVICE_NOT_FOUND) {
      return new long[0];
    }
    check(result);
    return found();
  }

  private long[] found() {
    int count = Math.min(scratch.get(JAVA_INT, 0), MOST);
    return handles.asSlice(0, (long) count * Long.BYTES).toArray(JAVA_LONG);
  }

  /** As CUDA writes that of a GPU; the extension cl_khr_device_uuid. */
  private String uuid(long device) {
    int result = driver.clGetDeviceInfo(device, UUID, UUID_BYTES, scratch.address(), 0);
    if (result != OpenClResult.SUCCESS) {
      return NO_UUID;
    }
    byte[] bytes = scratch.asSlice(0, UUID_BYTES).toArray(ValueLayout.JAVA_BYTE);
    String digits = HexFormat.of().formatHex(bytes);
    return digits.replaceFirst("(.{8})(.{4})(.{4})(.{4})(.{12})", "GPU-$1-$2-$3-$4-$5");
  }

  private Device device(int number, long device, String uuid) throws IOException {
    String name = text(device, NAME);
    String[] version = text(device, VERSION).split(SPACE, 3);
    check(driver.clGetDeviceInfo(device, MAX_COMPUTE_UNITS, Integer.BYTES, scratch.address(), 0));
    int units = scratch.get(JAVA_INT, 0);
    check(driver.clGetDeviceInfo(device, GLOBAL_MEM_SIZE, Long.BYTES, scratch.address(), 0));
    long memory = scratch.get(JAVA_LONG, 0);
    Device one = new Device(number, name, uuid, version[0] + SPACE + version[1], units, memory);
    return one.reaching(reach(device));
  }

  private HostReach reach(long device) throws IOException {
    check(driver.clGetDeviceInfo(device, TYPE, Long.BYTES, scratch.address(), 0));
    return (scratch.get(JAVA_LONG, 0) & TYPE_CPU) != 0 ? HostReach.PROCESS : HostReach.UNKNOWN;
  }

  private String text(long device, int name) throws IOException {
    check(driver.clGetDeviceInfo(device, name, ROOM, scratch.address(), 0));
    return scratch.getString(0).strip();
  }

  private static void check(int result) throws IOException {
    if (result != OpenClResult.SUCCESS) {
      throw new IOException("the backend answered a question of OpenCL with error " + result);
    }
  }
}
