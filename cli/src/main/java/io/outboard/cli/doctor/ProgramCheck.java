// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.doctor;

import io.outboard.cuda.CudaDriverTable;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Looks at a program without running it. */
public final class ProgramCheck {
  private static final int PERMISSION_BITS_SET_ID = 06000;
  private static final int SHOWN = 8;

  private static final Pattern RUNTIME = Pattern.compile("libcudart\\.so\\.(\\d+)(\\..*)?");
  private static final int OLDEST_RUNTIME = 10;

  private final Path libraries;
  private final String searchPath;
  private final CodeCheck code;
  private final List<Finding> findings = new ArrayList<>();

  /**
   * Prepares to look.
   *
   * @param libraries folder of the frontend's libraries
   * @param searchPath the folders in which a program without a folder is looked for
   * @param targets the devices that the program would see; none where they are not known
   */
  public ProgramCheck(Path libraries, String searchPath, List<CodeTarget> targets) {
    this.libraries = libraries;
    this.searchPath = searchPath;
    this.code = new CodeCheck(targets);
  }

  /** Looks at a program, as the command line names it. */
  public List<Finding> of(String program) {
    Optional<Path> file = find(program);
    if (file.isEmpty()) {
      findings.add(Finding.bad("%s: there is no such program".formatted(program)));
      return findings;
    }
    try {
      look(file.get());
    } catch (IOException e) {
      findings.add(Finding.bad("%s: %s".formatted(file.get(), e.getMessage())));
    }
    return findings;
  }

  private Optional<Path> find(String program) {
    if (program.contains("/")) {
      return Optional.of(Path.of(program)).filter(Files::isRegularFile);
    }
    return Stream.of(searchPath.split(":"))
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .filter(Files::isRegularFile)
        .findFirst();
  }

  private void look(Path program) throws IOException {
    if (!Files.isExecutable(program)) {
      findings.add(Finding.bad("%s is not executable: chmod +x".formatted(program)));
      return;
    }
    Optional<String> script = script(program);
    if (script.isPresent()) {
      findings.add(Finding.good("%s is a script for %s".formatted(program, script.get())));
      of(interpreter(script.get()));
      return;
    }
    Optional<ElfFile> elf = ElfFile.open(program);
    if (elf.isEmpty()) {
      findings.add(
          Finding.bad(
              "%s is not a 64-bit program: CUDA has none of 32 bits any more".formatted(program)));
      return;
    }
    look(program, elf.get());
  }

  /** Returns the text after the {@code #!}. */
  private static Optional<String> script(Path program) throws IOException {
    try (BufferedReader in = Files.newBufferedReader(program, StandardCharsets.ISO_8859_1)) {
      char[] start = new char[2];
      boolean is = in.read(start) == 2 && start[0] == '#' && start[1] == '!';
      return is ? Optional.of(in.readLine().strip()) : Optional.empty();
    }
  }

  private static String interpreter(String line) {
    String[] words = line.split("\\s+", 3);
    boolean named = words.length > 1 && words[0].endsWith("/env");
    return words[named ? 1 : 0];
  }

  private void look(Path program, ElfFile elf) throws IOException {
    int here = System.getProperty("os.arch").equals("aarch64") ? ElfFile.AARCH64 : ElfFile.X86_64;
    if (elf.machine() != here) {
      findings.add(
          Finding.bad(
              "%s is for another processor (ELF machine %d)".formatted(program, elf.machine())));
      return;
    }
    Optional<String> linker = elf.interpreter();
    if (linker.isEmpty()) {
      findings.add(
          Finding.bad(
              ("%s is linked statically: it cannot load libcuda.so.1; link it dynamically"
                      + " (a static CUDA runtime is no hindrance)")
                  .formatted(program)));
      return;
    }
    if (linker.get().contains("musl")) {
      findings.add(
          Finding.bad(
              "%s uses musl; Outboard's libraries, as NVIDIA's, need glibc".formatted(program)));
      return;
    }
    checkSetId(program);
    checkLibraries(program, linker.get());
  }

  private void checkSetId(Path program) throws IOException {
    int mode = (Integer) Files.getAttribute(program, "unix:mode");
    if ((mode & PERMISSION_BITS_SET_ID) != 0) {
      findings.add(
          Finding.bad(
              ("%s runs as another user or group (set-id): the dynamic linker then ignores"
                      + " LD_LIBRARY_PATH; add Outboard's libraries to /etc/ld.so.conf")
                  .formatted(program)));
    }
  }

  private void checkLibraries(Path program, String linker) throws IOException {
    LinkedFiles linked = LinkedFiles.of(linker, program, libraries);
    Map<String, Path> files = linked.files();
    files.forEach(
        (name, file) -> {
          if (file == null) {
            findings.add(
                Finding.bad(
                    ("%s needs %s, which is not there: install it, or name its folder in"
                            + " LD_LIBRARY_PATH")
                        .formatted(program, name)));
          }
        });
    linked.complaints().forEach(complaint -> findings.add(Finding.bad(complaint)));
    checkDriver(program, files.get("libcuda.so.1"));
    files.keySet().forEach(name -> runtime(program, name).ifPresent(findings::add));
    checkImports(program, files);
    checkCode(program, files);
  }

  private void checkCode(Path program, Map<String, Path> files) throws IOException {
    findings.addAll(code.of(program, ElfFile.open(program).orElseThrow()));
    for (Path file : files.values()) {
      Optional<ElfFile> elf = file == null ? Optional.empty() : ElfFile.open(file);
      if (elf.isPresent()) {
        findings.addAll(code.of(file, elf.get()));
      }
    }
  }

  private void checkDriver(Path program, Path driver) throws IOException {
    if (driver == null) {
      findings.add(
          Finding.good(
              "%s does not link libcuda.so.1; it may load it when it runs".formatted(program)));
    } else if (Files.isSameFile(driver, libraries.resolve("libcuda.so.1"))) {
      findings.add(Finding.good("%s would load Outboard's libcuda.so.1".formatted(program)));
    } else if (isOnPath(driver.getParent())) {
      findings.add(
          Finding.bad(
              ("%s would load %s instead of Outboard's: its folder comes first in LD_LIBRARY_PATH;"
                      + " 'outboard run' puts Outboard's there, or: eval \"$(outboard env)\"")
                  .formatted(program, driver)));
    } else {
      findings.add(
          Finding.bad(
              ("%s would load %s instead of Outboard's: it was linked with an RPATH"
                      + " (see: patchelf --remove-rpath)")
                  .formatted(program, driver)));
    }
  }

  private boolean isOnPath(Path folder) {
    return Stream.of(LinkedFiles.searchPath(libraries).split(":", -1))
        .anyMatch(folder.toString()::equals);
  }

  /** Which runtimes have been tried: docs/runtimes.md. */
  static Optional<Finding> runtime(Path program, String library) {
    Matcher runtime = RUNTIME.matcher(library);
    if (!runtime.matches() || Integer.parseInt(runtime.group(1)) >= OLDEST_RUNTIME) {
      return Optional.empty();
    }
    return Optional.of(
        Finding.doubtful(
            ("%s uses %s, which is older than any CUDA runtime that was tried with Outboard (10.2):"
                    + " it may not start; if it does not, build it with a newer toolkit")
                .formatted(program, library)));
  }

  private void checkImports(Path program, Map<String, Path> files) throws IOException {
    Set<String> imports = new TreeSet<>(ElfFile.open(program).orElseThrow().imports());
    for (Path file : files.values()) {
      Optional<ElfFile> elf = file == null ? Optional.empty() : ElfFile.open(file);
      if (elf.isPresent()) {
        imports.addAll(elf.get().imports());
      }
    }
    Set<String> refused = CudaDriverTable.refused();
    long named = imports.stream().filter(name -> name.startsWith("cu")).count();
    imports.retainAll(refused);
    if (!imports.isEmpty()) {
      findings.add(
          Finding.doubtful(
              "%s names %d functions that Outboard refuses with error %d: %s"
                  .formatted(
                      program, imports.size(), CudaDriverTable.NOT_SUPPORTED, shown(imports))));
    } else if (named > 0) {
      findings.add(
          Finding.good(
              "%s names no function of libcuda.so.1 that Outboard refuses".formatted(program)));
    }
  }

  private static String shown(Set<String> names) {
    String some = names.stream().limit(SHOWN).collect(Collectors.joining(", "));
    return names.size() > SHOWN ? some + ", …" : some;
  }
}
