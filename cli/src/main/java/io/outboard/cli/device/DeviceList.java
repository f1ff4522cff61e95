// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.device;

import io.outboard.client.ClientLibrary;
import io.outboard.client.Session;
import io.outboard.communicator.Endpoint;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverRemote;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.struct.DeviceUuid;
import io.outboard.nvml.NvmlDriverRemote;
import io.outboard.opencl.OpenClDriverRemote;
import io.outboard.wire.Welcome;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Asks a backend, as any client does, which devices it has. */
public final class DeviceList {
  // CUdevice_attribute of the CUDA driver API.
  private static final int COMPUTE_CAPABILITY_MAJOR = 75;
  private static final int COMPUTE_CAPABILITY_MINOR = 76;
  private static final int MULTIPROCESSORS = 16;
  private static final int PAGEABLE_MEMORY_ACCESS = 88;
  private static final int NAME = 256;

  private final CudaDriver driver;
  private final MemorySegment scratch;

  private DeviceList(CudaDriver driver, MemorySegment scratch) {
    this.driver = driver;
    this.scratch = scratch;
  }

  /**
   * Asks.
   *
   * @throws IOException if the backend cannot be used; the message says why
   */
  public static List<Device> of(Endpoint endpoint) throws IOException {
    return of(endpoint, System.getenv());
  }

  /** Asks with these variables, among which the token is. */
  public static List<Device> of(Endpoint endpoint, Map<String, String> environment)
      throws IOException {
    List<Device> devices = told(endpoint, environment);
    if (devices.isEmpty()) {
      hearWhy(endpoint, environment);
    }
    return devices;
  }

  /** A session for a library without devices is refused with the reason. */
  private static void hearWhy(Endpoint endpoint, Map<String, String> environment)
      throws IOException {
    Session.open(endpoint, List.of(ClientLibrary.CUDA), environment).close();
  }

  private static List<Device> told(Endpoint endpoint, Map<String, String> environment)
      throws IOException {
    List<ClientLibrary> libraries =
        List.of(ClientLibrary.CUDA, CutGpus.LIBRARY, OpenClDeviceList.LIBRARY);
    try (Session session = Session.open(endpoint, libraries, environment);
        Arena arena = Arena.ofConfined()) {
      Set<String> served =
          session.welcome().libraries().stream()
              .map(Welcome.Library::name)
              .collect(Collectors.toSet());
      List<Device> devices = new ArrayList<>();
      if (served.contains(ClientLibrary.CUDA.name())) {
        List<Device> cut =
            served.contains(CutGpus.LIBRARY.name())
                ? new CutGpus(new NvmlDriverRemote(session), arena).all()
                : List.of();
        MemorySegment scratch = arena.allocate(NAME, Long.BYTES);
        List<Device> own = new DeviceList(new CudaDriverRemote(session), scratch).all();
        devices.addAll(cut.isEmpty() ? own : reaching(cut, own));
      }
      if (served.contains(OpenClDeviceList.LIBRARY.name())) {
        List<Device> also =
            new OpenClDeviceList(new OpenClDriverRemote(session), arena).all(devices.isEmpty());
        devices.addAll(also.stream().map(device -> reachedAs(device, devices)).toList());
      }
      return devices;
    }
  }

  /** The management library does not know; it is one driver's matter, whatever the slice. */
  private static List<Device> reaching(List<Device> cut, List<Device> own) {
    HostReach most =
        own.stream().map(Device::reach).max(Comparator.naturalOrder()).orElse(HostReach.NONE);
    return cut.stream().map(device -> device.reaching(most)).toList();
  }

  /**
   * OpenCL does not say what a kernel reaches. A device of CUDA's with the same name is the same
   * GPU, or one of its kind under the same driver, and CUDA says it.
   */
  static Device reachedAs(Device device, List<Device> known) {
    HostReach reach =
        known.stream()
            .filter(one -> one.name().equals(device.name()))
            .map(Device::reach)
            .max(Comparator.naturalOrder())
            .orElse(device.reach());
    return device.reach() == HostReach.UNKNOWN ? device.reaching(reach) : device;
  }

  private List<Device> all() throws IOException {
    check(driver.cuInit(0), "cuInit");
    check(driver.cuDeviceGetCount(scratch.address()), "cuDeviceGetCount");
    int count = scratch.get(ValueLayout.JAVA_INT, 0);
    List<Device> devices = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      devices.add(device(number));
    }
    return devices;
  }

  private Device device(int number) throws IOException {
    check(driver.cuDeviceGetName(scratch.address(), NAME, number), "cuDeviceGetName");
    String name = scratch.getString(0);
    check(driver.cuDeviceTotalMem_v2(scratch.address(), number), "cuDeviceTotalMem");
    long memory = scratch.get(ValueLayout.JAVA_LONG, 0);
    Device device =
        new Device(
            number,
            name,
            uuid(number),
            attribute(COMPUTE_CAPABILITY_MAJOR, number)
                + "."
                + attribute(COMPUTE_CAPABILITY_MINOR, number),
            attribute(MULTIPROCESSORS, number),
            memory);
    boolean pageable = attribute(PAGEABLE_MEMORY_ACCESS, number) != 0;
    return device.reaching(pageable ? HostReach.PAGEABLE : HostReach.NONE).of(host(number));
  }

  /** An older backend has no devices but its own. */
  private String host(int number) {
    return driver.outboardDeviceHost(scratch.address(), NAME, number) == CudaResult.SUCCESS
        ? scratch.getString(0)
        : "";
  }

  private String uuid(int number) throws IOException {
    check(driver.cuDeviceGetUuid_v2(scratch.address(), number), "cuDeviceGetUuid");
    return DeviceUuid.at(scratch.address());
  }

  private int attribute(int attribute, int device) throws IOException {
    check(
        driver.cuDeviceGetAttribute(scratch.address(), attribute, device), "cuDeviceGetAttribute");
    return scratch.get(ValueLayout.JAVA_INT, 0);
  }

  private static void check(int result, String call) throws IOException {
    if (result != CudaResult.SUCCESS) {
      throw new IOException("the backend answered " + call + " with error " + result);
    }
  }
}
