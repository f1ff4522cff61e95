// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli;

import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Version;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The commands that the launcher does itself, in shell. They are here for the help and the
 * completion; the launcher hands only their {@code --help} over.
 */
// The launcher reads the options, not this class.
@SuppressWarnings("UnusedVariable")
final class LauncherCommands {
  private LauncherCommands() {}

  /** One of them. */
  @Command(mixinStandardHelpOptions = true, versionProvider = Version.class)
  abstract static class LauncherCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws Failure {
      throw new Failure("'" + spec.name() + "' is the launcher's: call ./outboard " + spec.name());
    }
  }

  /** {@code outboard demo}. */
  @Command(
      name = "demo",
      description = {
        "Builds Outboard and its examples and runs them, with their real output.",
        "Needs a JDK 25, Maven, gcc and make; no GPU and no NVIDIA software."
      })
  static final class Demo extends LauncherCommand {}

  /** {@code outboard run}. */
  @Command(
      name = "run",
      description = {
        "Runs a program on the backend that is found, else on one that ends with the program.",
        "The program takes this process's place: status, signals and streams are its own.",
        "If there is no such program the status is 127, if it cannot be run 126."
      },
      footer = {
        "",
        "A gvirtus.properties in the working folder or in $GVIRTUS_HOME/etc is understood: its",
        "key communicator names the backend; plugin and plugins are read by 'outboard doctor'",
        "only, since they choose nothing here. See docs/configuration.md."
      })
  static final class Run extends LauncherCommand {
    @Option(names = "--on", paramLabel = "URI", description = "The backend to use.")
    private String on;

    @Option(
        names = "--site",
        paramLabel = "NAME",
        description = "The site to use, one of the 'sites' of outboard.properties.")
    private String site;

    @Option(
        names = "--ca",
        paramLabel = "FILE",
        description = "For tls://: authorities to trust instead of the system's (OUTBOARD_CA).")
    private Path authorities;

    @Option(
        names = "--cert",
        paramLabel = "FILE",
        description = "For tls://: a certificate of this client's (OUTBOARD_CERT).")
    private Path certificate;

    @Option(
        names = "--key",
        paramLabel = "FILE",
        description = "For tls://: the certificate's key (OUTBOARD_KEY).")
    private Path key;

    @Option(
        names = "--lease",
        paramLabel = "LEASE",
        description = "Uses a lease of the backend: its id, or its token.")
    private String lease;

    @Option(
        names = "--device",
        paramLabel = "SPEC",
        description = {
          "Starts a backend for the program, with: auto (a real GPU if there is one), nvidia,",
          "software[:N], software:PROFILE[*N] (t4, a100, h100, h200), opencl[:PLATFORM]."
        })
    private String device;

    @Option(
        names = "--keep-local",
        description = "Leaves this machine's OpenCL devices to the program, beside the backend's.")
    private boolean keepLocal;

    @Option(
        names = "--opengl",
        description = {
          "Runs OpenGL without windows on the backend too, where it serves that ('serve",
          "--opengl'); this machine's libEGL (libglvnd) is needed."
        })
    private boolean openGl;

    @Option(
        names = "--trace",
        paramLabel = "FILE",
        description = {
          "Writes each call with its times on both sides, and the kernels and copies of",
          "devices, for ui.perfetto.dev or 'outboard report FILE'."
        })
    private String trace;

    @Option(
        names = "--log",
        paramLabel = "FILE",
        description = {
          "Writes each call with its arguments and results to FILE, and to FILE.backend",
          "as the backend made it: both have the same lines, in another order."
        })
    private String log;

    @Option(
        names = "--report",
        description = {
          "Prints calls, round trips, bytes and time of each function when the",
          "program ends."
        })
    private boolean report;

    @Option(
        names = "--no-check",
        description = "Starts the program though the backend may not serve it yet.")
    private boolean noCheck;

    @Option(
        names = "--verbose",
        description = {
          "Says which backend the program uses, where that was found, and whether bytes travel",
          "through memory that a guest shares with its host."
        })
    private boolean verbose;

    @Parameters(paramLabel = "PROGRAM [ARGUMENTS]", arity = "1..*", description = "What to run.")
    private final List<String> command = new ArrayList<>();
  }

  /** {@code outboard env}. */
  @Command(
      name = "env",
      description = {
        "Prints the variables that make programs of this shell use a backend.",
        "Try: eval \"$(outboard env)\""
      })
  static final class Env extends LauncherCommand {
    @Option(names = "--on", paramLabel = "URI", description = "The backend to use.")
    private String on;
  }

  /** {@code outboard test}. */
  @Command(
      name = "test",
      description = {
        "Builds Outboard and runs its tests: Java, C, and programs on a real backend.",
        "Needs a JDK 25, Maven, gcc and make; no GPU and no NVIDIA software.",
        "Says how far it is, what fails, and at the end what did not run and why."
      },
      footer = {
        "",
        "A NAME is a class (RunTest), one of its tests (RunTest.wrongUsageIs2), a module (wire) or",
        "a program in C (loss); MODULE/NAME where several have it. Only what these need is built,",
        "and a test of --long runs where it is named.",
        "",
        "The status is 0 if nothing failed, 1 if something did or does not build, 2 for wrong",
        "usage, 128 and its number after a signal. A signal, or a closed pipe (141), ends all that",
        "the tests started."
      })
  static final class Test extends LauncherCommand {
    @Option(
        names = "--quick",
        description = "Two minutes' tests, for each change: no backends, and the structure.")
    private boolean quick;

    @Option(
        names = "--long",
        description = "Also tests that take minutes, such as a guest in a virtual machine.")
    private boolean all;

    @Parameters(paramLabel = "NAME", arity = "0..*", description = "Only these tests.")
    private final List<String> names = new ArrayList<>();
  }

  /** {@code outboard bench}. */
  @Command(
      name = "bench",
      description = {
        "Measures calls beside what their medium costs, in one run, and prints tables.",
        "'bench gpu' compares programs and PyTorch with the machine's own driver."
      })
  static final class Bench extends LauncherCommand {
    @Option(names = "--rounds", paramLabel = "N", description = "Runs of each measurement.")
    private int rounds;

    @Option(names = "--json", paramLabel = "FILE", description = "Also writes every run to FILE.")
    private Path json;
  }

  /** {@code outboard dist}. */
  @Command(
      name = "dist",
      description = {
        "Makes tarballs, Debian packages and Python wheels in target/dist.",
        "A client that needs no Java, a server with its own Java, and what plug-ins and programs"
            + " on the JVM are built with."
      })
  static final class Dist extends LauncherCommand {
    @Option(
        names = "--image-base",
        paramLabel = "FILE",
        description = {
          "Also makes images for containers, which Podman and Docker load: a root file system of"
              + " glibc",
          "in this tar file (mmdebstrap --variant=minbase bookworm base.tar) with client or server."
        })
    private Path imageBase;
  }
}
