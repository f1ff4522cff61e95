// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The image of a machine with cloud-init, which nothing is written to.
 *
 * @param disk a disk, in the format qcow2 if its name ends so, else raw
 * @param kernel words of QEMU's by which it boots; none for a disk that boots by itself
 */
public record MachineImage(Path disk, List<String> kernel) {
  private static final String COMMAND_LINE = "root=LABEL=root ro console=ttyS0 panic=-1";

  /** Copies the list. */
  public MachineImage {
    kernel = List.copyOf(kernel);
  }

  /**
   * The image at a path: a disk, or a folder with disk.raw, vmlinuz and initrd.
   *
   * @throws IOException if it is neither
   */
  public static MachineImage of(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return new MachineImage(readable(path), List.of());
    }
    List<String> kernel =
        List.of(
            "-kernel",
            readable(path.resolve("vmlinuz")).toString(),
            "-initrd",
            readable(path.resolve("initrd")).toString(),
            "-append",
            COMMAND_LINE);
    return new MachineImage(readable(path.resolve("disk.raw")), kernel);
  }

  private static Path readable(Path file) throws IOException {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw new IOException(file + " cannot be read as a file of an image");
    }
    return file.toAbsolutePath();
  }

  /** The name of the disk's format, as QEMU has it. */
  String format() {
    return disk.toString().endsWith(".qcow2") ? "qcow2" : "raw";
  }
}
