// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.launch;

import io.outboard.backend.devices.CudaDevices;
import io.outboard.backend.library.DeviceChoice;
import io.outboard.backend.system.Pause;
import io.outboard.backend.system.ProcessHardening;
import io.outboard.backend.system.StderrGuard;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The main class of a process that does one thing: it has initialised the vendor's driver ({@code
 * cuInit}), for as long as the daemon lives. While one process has, another one's {@code cuInit}
 * takes 15 ms on an H200, else 180, in persistence mode as well; open device files or a session of
 * NVML do not have that effect. It takes no memory of a device, and no client's data comes near it.
 *
 * <p>Not a worker's work: some of a client's settings count only before {@code cuInit}.
 */
public final class DriverKeepAlive {
  private static final Path FOLDER = Path.of("/dev");
  private static final String NAMES = "nvidia[0-9]*";

  private DriverKeepAlive() {}

  /** Runs it; without arguments. Ends at once, in good order, where there is no usable driver. */
  public static void main(String[] arguments) {
    StderrGuard.install();
    ProcessHardening.confine();
    if (CudaDevices.initializeVendor()) {
      Pause.ms(Long.MAX_VALUE);
    }
    // Not exit: nothing of the driver's is to be waited for.
    Runtime.getRuntime().halt(0);
  }

  /** Whether one is worth starting for these devices. */
  public static boolean isUseful(String devices) {
    return mayBe(DeviceChoice.parse(devices));
  }

  /** Whether real GPUs may be among these devices here. */
  public static boolean mayBe(DeviceChoice devices) {
    return devices.mayBeNvidia() && hasDevice(FOLDER);
  }

  /** Whether there is a GPU's device file in a folder. */
  static boolean hasDevice(Path folder) {
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, NAMES)) {
      return found.iterator().hasNext();
    } catch (IOException e) {
      return false;
    }
  }
}
