// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.patience.Patience;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A machine of the plain image that {@code conformance/openstack/image} makes, under QEMU's
 * emulation, with a config drive as a cloud gives it one. Nothing is written to the image.
 */
final class PlainImage implements AutoCloseable {
  /** Where the image is, so that it is made once. */
  static final Path PATH = Path.of("/var/tmp/outboard-image");

  private static final String LABEL = "config-2";

  private final Path folder;
  private final Process hypervisor;

  private PlainImage(Path folder, Process hypervisor) {
    this.folder = folder;
    this.hypervisor = hypervisor;
  }

  static boolean isHere() throws IOException, InterruptedException {
    return Files.exists(PATH.resolve("disk.raw")) && Program.isHere("qemu-system-x86_64");
  }

  /** Why it is not. */
  static String absent() {
    return "no plain image is there: "
        + Home.PATH.resolve("conformance/openstack/image")
        + " make "
        + PATH;
  }

  /**
   * Boots one.
   *
   * @param vendorData what Nova's machines read of the adapter, with its name
   * @param more words for QEMU
   */
  static PlainImage boot(Path folder, String userData, String vendorData, List<String> more)
      throws IOException {
    Path latest = Files.createDirectories(folder.resolve("drive/openstack/latest"));
    Files.writeString(
        latest.resolve("meta_data.json"),
        "{\"uuid\": \"%s\", \"hostname\": \"vm\", \"name\": \"vm\"}"
            .formatted(folder.getFileName()));
    Files.writeString(latest.resolve("user_data"), userData);
    Files.writeString(latest.resolve("vendor_data2.json"), vendorData);
    Process hypervisor =
        new ProcessBuilder(command(more))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(new File(folder.toFile(), "console"))
            .start();
    return new PlainImage(folder, hypervisor);
  }

  private static List<String> command(List<String> more) {
    List<String> words = new ArrayList<>(List.of("qemu-system-x86_64", "-accel", "tcg"));
    words.addAll(List.of("-m", "768", "-nodefaults", "-no-reboot", "-display", "none"));
    words.addAll(List.of("-serial", "stdio", "-nic", "user,model=virtio-net-pci"));
    words.addAll(List.of("-kernel", PATH.resolve("vmlinuz").toString()));
    words.addAll(List.of("-initrd", PATH.resolve("initrd").toString()));
    words.addAll(List.of("-append", "root=LABEL=root ro console=ttyS0 panic=-1"));
    String disk = "if=virtio,snapshot=on,format=raw,file=" + PATH.resolve("disk.raw");
    words.addAll(List.of("-drive", disk, "-device", "virtio-rng-pci"));
    String drive = "driver=vvfat,dir=drive,read-only=on,node-name=drive,label=" + LABEL;
    words.addAll(List.of("-blockdev", drive, "-device", "virtio-blk-pci,drive=drive"));
    words.addAll(more);
    return words;
  }

  String said() throws IOException {
    // The last character may be there in part.
    return new String(Files.readAllBytes(folder.resolve("console")), UTF_8).replace("\r", "");
  }

  /** Lost is a machine that says nothing any more: how long it boots is no matter. */
  void awaitSaid(String what) throws Exception {
    while (!said().contains(what)) {
      int before = said().length();
      Patience.until(
          this::toString,
          () -> {
            assertTrue(hypervisor.isAlive(), this::toString);
            return said().length() > before;
          });
    }
  }

  @Override
  public String toString() {
    try {
      return said();
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Override
  public void close() {
    hypervisor.destroyForcibly().onExit().join();
  }
}
