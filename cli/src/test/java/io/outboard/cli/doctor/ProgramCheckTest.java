// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProgramCheckTest {
  private static final String PROGRAM = "rwxr-xr-x";

  @TempDir Path folder;

  private String look(String program) {
    return new ProgramCheck(folder, folder + ":/bin:/usr/bin", List.of())
        .of(program).stream().map(Finding::line).collect(Collectors.joining("\n"));
  }

  private Path write(String name, String permissions, byte[] bytes) throws IOException {
    Path file = Files.write(folder.resolve(name), bytes);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  private Path copy(String name, int offset, int value) throws IOException {
    byte[] bytes = Files.readAllBytes(Path.of("/bin/ls").toRealPath());
    bytes[offset] = (byte) value;
    return write(name, PROGRAM, bytes);
  }

  @Test
  void aProgramThatIsNotThereIsNamed() {
    assertEquals("FAIL  nosuch: there is no such program", look("nosuch"));
  }

  @Test
  void whatCannotBeExecutedSaysSo() throws IOException {
    Path file = write("data", "rw-r--r--", new byte[8]);
    assertTrue(look(file.toString()).endsWith("is not executable: chmod +x"));
  }

  @Test
  void aScriptIsFollowedToItsInterpreter() throws IOException {
    write("script", PROGRAM, "#!/usr/bin/env ls -l\n".getBytes(UTF_8));
    List<String> lines = look("script").lines().toList();
    assertTrue(lines.get(0).contains("is a script for /usr/bin/env ls -l"), lines::toString);
    assertTrue(lines.get(1).contains("ls does not link libcuda.so.1"), lines::toString);
  }

  @Test
  void aProgramOf32BitsIsRefused() throws IOException {
    assertTrue(look(copy("ls32", 4, 1).toString()).contains("is not a 64-bit program"));
  }

  @Test
  void aProgramForAnotherProcessorIsRefused() throws IOException {
    assertTrue(look(copy("other", 18, 3).toString()).contains("is for another processor"));
  }

  @Test
  void aProgramThatIsCutOffIsAnError() throws IOException {
    byte[] bytes = Files.readAllBytes(Path.of("/bin/ls").toRealPath());
    Path file = write("cut", PROGRAM, Arrays.copyOf(bytes, 80));
    assertTrue(look(file.toString()).contains("it is cut off, or damaged"), look(file.toString()));
    ElfFile elf = ElfFile.open(file).orElseThrow();
    assertThrows(IOException.class, elf::imports);
  }

  @Test
  void importsAreRead() throws IOException {
    List<String> imports = ElfFile.open(Path.of("/bin/ls")).orElseThrow().imports();
    assertTrue(imports.contains("strlen"), imports::toString);
    assertFalse(imports.contains("main"), imports::toString);
  }

  @Test
  void theListingOfTheDynamicLinkerIsTakenApart() {
    LinkedFiles listed =
        LinkedFiles.parse(
            """
            ./p: /lib/libc.so.6: version `GLIBC_2.99' not found (required by ./p)
            \tlinux-vdso.so.1 (0x00007ffd)
            \tlibcuda.so.1 => /somewhere/a b/libcuda.so.1 (0x00007f00)
            \tlibmissing.so => not found
            \t/lib64/ld-linux-x86-64.so.2 (0x00007f01)
            """);
    assertEquals(1, listed.complaints().size(), listed::toString);
    Map<String, Path> files = listed.files();
    assertEquals(Path.of("/somewhere/a b/libcuda.so.1"), files.get("libcuda.so.1"));
    assertTrue(files.containsKey("libmissing.so"));
    assertEquals(2, files.size());
  }

  @Test
  void aRuntimeThatNobodyHasTriedIsNamed() {
    Path program = Path.of("old");
    Finding old = ProgramCheck.runtime(program, "libcudart.so.9.2").orElseThrow();
    assertTrue(old.line().startsWith("note  old uses libcudart.so.9.2, which is older"), old::line);
    for (String tried : List.of("libcudart.so.10.2", "libcudart.so.11.0", "libcudart.so.13")) {
      assertTrue(ProgramCheck.runtime(program, tried).isEmpty(), tried);
    }
  }

  @Test
  void pluginsOfGvirtusWithoutCounterpartAreNamed() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("gvirtus.properties"), "plugins: cudart, opencl,nvml,cublasx,nvmx\n");
    List<Finding> findings = EnvironmentCheck.plugins(List.of(file, folder.resolve("none")));
    assertEquals(1, findings.size());
    assertTrue(findings.getFirst().text().endsWith("here: cublasx, nvmx"), findings::toString);
  }

  @Test
  void aVariableThatHidesEveryDeviceIsFound() {
    List<Finding> findings = EnvironmentCheck.of(folder, Map.of("CUDA_VISIBLE_DEVICES", "-1"));
    assertTrue(
        findings.stream()
            .filter(Finding::isBad)
            .map(Finding::text)
            .anyMatch(t -> t.contains("hides every device")));
    assertTrue(findings.getFirst().isBad(), "the folder has no libraries");
  }
}
