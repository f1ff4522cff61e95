// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.machine;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A machine of plain QEMU, with its network of user mode: it needs no right that its user has not.
 * The kernel ends it with the thread that has started it, also if that is killed.
 */
public final class QemuMachine implements Machine {
  /** The host as a machine of such a network sees it. */
  public static final String HOST = "10.0.2.2";

  private static final Pattern FORWARDED =
      Pattern.compile("HOST_FORWARD\\S*\\s+\\S+\\s+127\\.0\\.0\\.1\\s+(\\d+)");
  private static final int MOST_SAID = 4_000;
  private static final long END_S = 10;

  private final MachineFolders.Held folder;
  private final Process hypervisor;
  private final Qmp commands;
  private final InetSocketAddress service;

  /**
   * How a machine is built.
   *
   * @param accelerators as QEMU has them, the first that is there
   * @param memory MiB
   * @param processors how many
   */
  public record Build(String accelerators, int memory, int processors) {}

  private QemuMachine(MachineFolders.Held folder, Process hypervisor) throws IOException {
    this.folder = folder;
    this.hypervisor = hypervisor;
    try {
      folder.note(hypervisor.toHandle());
      commands = new Qmp(hypervisor);
      service = forwarded();
    } catch (IOException e) {
      close();
      throw new IOException("QEMU does not begin: " + read("errors") + e.getMessage(), e);
    }
  }

  /**
   * Starts one. The thread that calls this is to live as long as the machine.
   *
   * @param folder of the machine, which outlives it
   */
  public static QemuMachine start(
      MachineFolders.Held folder, String name, MachineImage image, MachineSeed seed, Build build)
      throws IOException {
    Path path = folder.path();
    seed.write(path.resolve("seed"), name);
    Process hypervisor =
        new ProcessBuilder(command(name, image, seed, build))
            .directory(path.toFile())
            .redirectError(path.resolve("errors").toFile())
            .start();
    return new QemuMachine(folder, hypervisor);
  }

  private static List<String> command(
      String name, MachineImage image, MachineSeed seed, Build build) {
    List<String> words = new ArrayList<>(List.of("setpriv", "--pdeathsig", "KILL"));
    words.addAll(List.of("qemu-system-x86_64", "-name", name, "-nodefaults", "-no-reboot"));
    words.addAll(List.of("-machine", "pc,accel=" + build.accelerators(), "-display", "none"));
    words.addAll(List.of("-m", Integer.toString(build.memory())));
    words.addAll(List.of("-smp", Integer.toString(build.processors())));
    words.addAll(image.kernel());
    words.addAll(
        List.of(
            "-drive",
            "if=virtio,snapshot=on,format=%s,file=%s"
                .formatted(image.format(), image.disk().toString().replace(",", ",,"))));
    words.addAll(
        List.of(
            "-blockdev",
            "driver=vvfat,dir=seed,read-only=on,node-name=seed,label=" + MachineSeed.LABEL,
            "-device",
            "virtio-blk-pci,drive=seed"));
    words.addAll(
        List.of(
            "-nic", "user,model=virtio-net-pci,hostfwd=tcp:127.0.0.1:0-:" + seed.port(),
            "-device", "virtio-rng-pci",
            "-device", "virtio-serial-pci",
            "-chardev", "file,id=ready,path=ready",
            "-device", "virtserialport,chardev=ready,name=service.ready",
            "-serial", "file:console",
            "-chardev", "stdio,id=commands,signal=off",
            "-mon", "chardev=commands,mode=control"));
    return words;
  }

  /** The port of this machine that QEMU has chosen. */
  private InetSocketAddress forwarded() throws IOException {
    String network = commands.monitor("info usernet");
    Matcher port = FORWARDED.matcher(network);
    if (!port.find()) {
      throw new IOException("it forwards nothing: " + network);
    }
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port.group(1)));
  }

  /** One whose service could not be set up is of no use. */
  @Override
  public boolean isAlive() {
    return hypervisor.isAlive() && !told().equals("failed");
  }

  @Override
  public boolean isReady() {
    return told().equals("ready");
  }

  /** The lines that the machine has told. */
  private String told() {
    return read("ready").strip();
  }

  @Override
  public InetSocketAddress service() {
    return service;
  }

  @Override
  public void suspend() throws IOException {
    Object unused = commands.ask("stop", Map.of());
  }

  @Override
  public void resume() throws IOException {
    Object unused = commands.ask("cont", Map.of());
  }

  @Override
  public String said() {
    return read("errors") + read("console");
  }

  private String read(String name) {
    try {
      // Characters of a console may be there in part.
      String text = new String(Files.readAllBytes(folder.path().resolve(name)), UTF_8);
      return text.substring(Math.max(0, text.length() - MOST_SAID));
    } catch (IOException e) {
      return "";
    }
  }

  @Override
  public void close() {
    Process unused = hypervisor.destroyForcibly();
    try {
      boolean unusedEnd = hypervisor.waitFor(END_S, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
