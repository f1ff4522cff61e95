// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.doctor;

import io.outboard.backend.system.Count;
import io.outboard.cli.command.Answer;
import io.outboard.cli.command.BackendOption;
import io.outboard.cli.command.Output;
import io.outboard.cli.command.Tools;
import io.outboard.cli.command.Version;
import io.outboard.cli.device.Device;
import io.outboard.cli.device.DeviceList;
import io.outboard.cli.lease.LeaseClient;
import io.outboard.client.Session;
import io.outboard.client.find.Backends;
import io.outboard.client.find.Found;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code outboard doctor}. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Finds out why a program would not run.",
      "Looks at the libraries, the variables, the backend and, without running it, at the program."
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:nothing hinders",
      "1:something does; a line that begins with FAIL says what"
    })
public final class Doctor implements Callable<Integer> {
  private static final Path NVIDIA = Path.of("/dev/nvidiactl");

  @Mixin private Output output;

  @Option(names = "--on", paramLabel = "URI", description = "The backend to use.")
  private String on;

  @Option(
      names = "--host",
      description = "Looks at this machine as one that serves its GPUs, and at nothing else.")
  private boolean host;

  @Parameters(paramLabel = "PROGRAM", arity = "0..1", description = "The program to look at.")
  private String program;

  // The devices that the program would see.
  private List<CodeTarget> targets = List.of();

  @Override
  public Integer call() {
    if (host) {
      List<Finding> findings = new ArrayList<>(new HostCheck(Path.of("/"), System.getenv()).all());
      findings.addAll(PageableCheck.ofThisMachine());
      findings.add(ConfinementCheck.ofThisMachine());
      return report(findings);
    }
    Path libraries = Tools.libraries();
    Map<String, String> environment = System.getenv();
    List<Finding> findings = new ArrayList<>(EnvironmentCheck.of(libraries, environment));
    findings.addAll(backend());
    if (program != null) {
      findings.addAll(
          new ProgramCheck(libraries, environment.getOrDefault("PATH", ""), targets).of(program));
    }
    return report(findings);
  }

  private int report(List<Finding> findings) {
    output.print(
        new Answer(
            findings.stream().map(Finding::json).toList(),
            findings.stream().map(Finding::shown).toList()));
    return findings.stream().anyMatch(Finding::isBad) ? 1 : 0;
  }

  private List<Finding> backend() {
    try {
      Backends backends = new Backends();
      Optional<Found> found = backends.find(Optional.ofNullable(on));
      List<Finding> findings = new ArrayList<>(EnvironmentCheck.plugins(backends.gvirtusFiles()));
      findings.addAll(found.isPresent() ? devices(found.get()) : none(backends));
      found.ifPresent(
          backend -> findings.addAll(LedgerCheck.of(backend, LeaseClient.environment(backend))));
      return findings;
    } catch (IllegalArgumentException | IOException e) {
      return List.of(Finding.bad(e.getMessage()));
    }
  }

  /** The backend of its own that a program gets; which real GPU there is nobody asks here. */
  private List<Finding> none(Backends backends) {
    targets = Files.exists(NVIDIA) ? List.of() : List.of(CodeTarget.software());
    return List.of(
        Finding.doubtful(
            BackendOption.notFound(backends)
                + "; 'outboard run' starts one of its own for each program, 'outboard serve' keeps one"
                + " running"));
  }

  private List<Finding> devices(Found found) throws IOException {
    long begin = System.nanoTime();
    Session.ask(found.endpoint(), System.getenv());
    List<Device> devices = DeviceList.of(found.endpoint());
    long took = System.nanoTime() - begin;
    targets = CodeTargets.of(found.endpoint());
    List<Finding> findings = new ArrayList<>();
    findings.add(
        new Finding(
            devices.isEmpty() ? Finding.Grade.BAD : Finding.Grade.GOOD,
            "the backend %s (from %s) has %s; asked in %d ms"
                .formatted(
                    found.endpoint(),
                    found.where(),
                    Count.of(devices.size(), "device"),
                    took / 1_000_000)));
    devices.forEach(device -> findings.add(Finding.good(device.row().strip())));
    return findings;
  }
}
