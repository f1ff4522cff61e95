// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Looks at a machine that is to serve its GPUs: the driver, its devices, the limits of processes,
 * and what it has for virtual machines. Reads files only; each fault comes with a remedy.
 */
public final class HostCheck {
  /** The oldest driver that Outboard is tested with. */
  private static final int TESTED_DRIVER = 580;

  /** Each session has a worker with some forty threads and descriptors, and connections. */
  private static final long ENOUGH_FILES = 16_384;

  private static final long ENOUGH_MAPPINGS = 65_530;
  private static final long UNLIMITED = Long.MAX_VALUE;
  private static final int NEVER_OVERCOMMIT = 2;
  private static final Pattern DRIVER = Pattern.compile("(\\d{3})\\.\\d+(\\.\\d+)?");
  private static final Pattern LIBRARY = Pattern.compile("libcuda\\.so\\.\\d{3}\\.[.\\d]+");
  private static final Pattern GPU = Pattern.compile("nvidia\\d+");
  private static final Pattern KERNEL = Pattern.compile("(\\d+)\\.(\\d+).*", Pattern.DOTALL);
  private static final List<String> CONTROL = List.of("nvidiactl", "nvidia-uvm");
  private static final List<String> LIBRARY_FOLDERS =
      List.of("usr/lib/x86_64-linux-gnu", "usr/lib64", "usr/lib", "usr/lib/wsl/lib");

  private final HostFiles files;
  private final Map<String, String> environment;
  private final List<Finding> findings = new ArrayList<>();

  /**
   * Looks below a folder.
   *
   * @param root where {@code proc}, {@code dev} and {@code sys} are
   */
  public HostCheck(Path root, Map<String, String> environment) {
    this.files = new HostFiles(root);
    this.environment = environment;
  }

  /** Looks at everything. */
  public List<Finding> all() {
    if (driver()) {
      devices();
      library();
      persistence();
      mps();
    }
    limits();
    kernel();
    hugePages();
    overcommit();
    mappings();
    findings.addAll(new GuestsCheck(files).all());
    return List.copyOf(findings);
  }

  private boolean driver() {
    Optional<String> version = files.read("proc/driver/nvidia/version");
    if (version.isEmpty()) {
      findings.add(
          Finding.doubtful(
              "NVIDIA's driver is not loaded: this machine can serve software GPUs"
                  + " ('serve --device software:a100*4'); with a GPU in it, install the driver and"
                  + " 'modprobe nvidia nvidia_uvm'"));
      return false;
    }
    Matcher matcher = DRIVER.matcher(version.get());
    String number = matcher.find() ? matcher.group() : "of an unknown version";
    boolean tested = matcher.hasMatch() && Integer.parseInt(matcher.group(1)) >= TESTED_DRIVER;
    findings.add(
        tested
            ? Finding.good("NVIDIA's driver " + number)
            : Finding.doubtful(
                "NVIDIA's driver %s; Outboard is tested with %d and newer"
                    .formatted(number, TESTED_DRIVER)));
    sameVersions(number);
    return true;
  }

  /** A module that was loaded before an update refuses its own, newer libraries. */
  private void sameVersions(String loaded) {
    List<String> others =
        LIBRARY_FOLDERS.stream()
            .flatMap(folder -> files.names(folder, LIBRARY).stream())
            .map(name -> name.substring(name.indexOf(".so.") + 4))
            .distinct()
            .toList();
    if (!others.isEmpty() && !others.contains(loaded)) {
      findings.add(
          Finding.bad(
              "the loaded module is %s, and libcuda.so.1 is %s: start the machine again, or load"
                      .formatted(loaded, String.join(", ", others))
                  + " the module again ('modprobe -r nvidia_uvm nvidia; modprobe nvidia_uvm')"));
    }
  }

  private void devices() {
    List<String> gpus = files.names("dev", GPU);
    findings.add(
        gpus.isEmpty()
            ? Finding.bad("there is no /dev/nvidia0: 'nvidia-modprobe -c 0' makes it")
            : Finding.good("devices: " + String.join(", ", gpus)));
    Stream.concat(gpus.stream(), CONTROL.stream()).forEach(this::device);
  }

  private void device(String name) {
    Path device = files.root().resolve("dev").resolve(name);
    if (!Files.exists(device)) {
      findings.add(
          Finding.bad("there is no /dev/%s: 'nvidia-modprobe -u -c 0' makes it".formatted(name)));
    } else if (!Files.isReadable(device) || !Files.isWritable(device)) {
      findings.add(
          Finding.bad(
              "/dev/%s may not be used by this user: workers need it; NVreg_DeviceFileMode=0666"
                  .formatted(name)));
    }
  }

  private void library() {
    boolean there =
        LIBRARY_FOLDERS.stream()
            .anyMatch(folder -> Files.exists(files.root().resolve(folder).resolve("libcuda.so.1")));
    findings.add(
        there
            ? Finding.good("the driver's libcuda.so.1 is there")
            : Finding.bad(
                "the driver's libcuda.so.1 is not there: install it"
                    + " (Debian: libcuda1; in a container: the capability 'compute')"));
  }

  private void persistence() {
    boolean runs = Files.exists(files.root().resolve("run/nvidia-persistenced/socket"));
    findings.add(
        runs
            ? Finding.good("nvidia-persistenced runs")
            : Finding.doubtful(
                "nvidia-persistenced does not run: the driver forgets its GPUs between users. A"
                    + " backend keeps them awake while it serves; 'systemctl enable --now"
                    + " nvidia-persistenced' keeps them so from the start"));
  }

  private void mps() {
    String named = environment.getOrDefault("CUDA_MPS_PIPE_DIRECTORY", "");
    String pipes = named.isEmpty() ? "/tmp/nvidia-mps" : named;
    boolean runs = Files.exists(files.root().resolve(pipes.substring(1)).resolve("control"));
    findings.add(
        runs
            ? Finding.doubtful(
                "MPS runs (%s): programs share a GPU's context there, and a fault of one ends all;"
                        .formatted(pipes)
                    + " the service sees no /tmp of others, so name another CUDA_MPS_PIPE_DIRECTORY")
            : Finding.good(
                "MPS does not run: programs of one GPU are apart, and take turns; 'serve --mps' is "
                    + (hasMps() ? "possible" : "not possible without nvidia-cuda-mps-control")));
  }

  private boolean hasMps() {
    String path = environment.getOrDefault("PATH", "/usr/bin");
    return Arrays.stream(path.split(":", -1))
        .filter(folder -> folder.startsWith("/"))
        .anyMatch(
            folder ->
                Files.exists(
                    files.root().resolve(folder.substring(1)).resolve("nvidia-cuda-mps-control")));
  }

  private void limits() {
    String limits = files.read("proc/self/limits").orElse("");
    least(limits, "Max open files", ENOUGH_FILES, "LimitNOFILE=65536, or 'ulimit -n 65536'");
    least(
        limits,
        "Max locked memory",
        UNLIMITED,
        "page-locked memory may be refused; LimitMEMLOCK=infinity, or 'ulimit -l unlimited'");
  }

  private void least(String limits, String what, long enough, String remedy) {
    Matcher line = Pattern.compile(Pattern.quote(what) + "\\s+(\\S+)").matcher(limits);
    if (!line.find()) {
      return;
    }
    long value = line.group(1).equals("unlimited") ? UNLIMITED : Long.parseLong(line.group(1));
    String text = "%s: %s".formatted(what, line.group(1));
    findings.add(
        value >= enough ? Finding.good(text) : Finding.doubtful("%s; %s".formatted(text, remedy)));
  }

  private void kernel() {
    Matcher version = KERNEL.matcher(files.read("proc/sys/kernel/osrelease").orElse(""));
    if (version.matches()) {
      int major = Integer.parseInt(version.group(1));
      boolean knows = major > 5 || (major == 5 && Integer.parseInt(version.group(2)) >= 3);
      findings.add(
          knows
              ? Finding.good("Linux %s.%s".formatted(version.group(1), version.group(2)))
              : Finding.bad("Linux 5.3 or newer is needed (pidfd_open)"));
    }
  }

  private void hugePages() {
    String enabled = files.read("sys/kernel/mm/transparent_hugepage/enabled").orElse("");
    if (enabled.contains("[never]")) {
      findings.add(
          Finding.doubtful(
              "transparent huge pages are off: page-locking gigabytes takes longer; 'echo madvise >"
                  + " /sys/kernel/mm/transparent_hugepage/enabled'"));
    } else if (!enabled.isEmpty()) {
      findings.add(Finding.good("transparent huge pages: " + enabled.strip()));
    }
  }

  private void overcommit() {
    files
        .number("proc/sys/vm/overcommit_memory")
        .filter(mode -> mode == NEVER_OVERCOMMIT)
        .ifPresent(
            _ ->
                findings.add(
                    Finding.bad(
                        "vm.overcommit_memory is 2: the driver and the workers reserve far more"
                            + " addresses than they use; 'sysctl vm.overcommit_memory=0'")));
  }

  private void mappings() {
    files
        .number("proc/sys/vm/max_map_count")
        .filter(count -> count < ENOUGH_MAPPINGS)
        .ifPresent(
            count ->
                findings.add(
                    Finding.doubtful(
                        "vm.max_map_count is %d; 'sysctl vm.max_map_count=65530'"
                            .formatted(count))));
  }
}
