// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the code for devices in programs, which are made here, with devices. */
final class CodeCheckTest {
  private static final int CUDA_12_4 = 12_040;
  private static final CodeTarget HOPPER = CodeTarget.real("Hopper", 90, CUDA_12_4);

  @TempDir Path folder;

  private static byte[] entry(int kind, int architecture, int version, long flags) {
    ByteBuffer out = ByteBuffer.allocate(80).order(ByteOrder.LITTLE_ENDIAN);
    out.putShort(0, (short) kind).putInt(4, 72).putLong(8, 8);
    out.putShort(24, (short) (version % 10)).putShort(26, (short) (version / 10));
    out.putInt(28, architecture).putLong(40, flags);
    return out.array();
  }

  private static byte[] ptx(int architecture, int version) {
    return entry(DeviceCode.PTX, architecture, version, 0);
  }

  private static byte[] binary(int architecture) {
    return entry(DeviceCode.BINARY, architecture, 18, 0);
  }

  private static byte[] container(byte[]... entries) {
    int bytes = Arrays.stream(entries).mapToInt(entry -> entry.length).sum();
    ByteBuffer out = ByteBuffer.allocate(16 + bytes).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(0xba55ed50).putShort((short) 1).putShort((short) 16).putLong(bytes);
    Arrays.stream(entries).forEach(out::put);
    return out.array();
  }

  private static byte[] all(byte[]... containers) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Arrays.stream(containers).forEach(out::writeBytes);
    return out.toByteArray();
  }

  private void gcc(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("gcc"));
    command.addAll(List.of(arguments));
    Process gcc =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String said = new String(gcc.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, gcc.waitFor(), said);
  }

  /** A section of an assembler's source. */
  private String section(String name, byte[] content) throws IOException {
    Path file = Files.write(folder.resolve(name.replace(".", "") + ".bin"), content);
    return ".section %s,\"a\"%n.incbin \"%s\"%n".formatted(name, file);
  }

  private Path program(String sections) throws IOException, InterruptedException {
    Files.writeString(folder.resolve("code.s"), sections + ".section .note.GNU-stack,\"\"\n");
    Files.writeString(folder.resolve("main.c"), "int main(void) { return 0; }");
    gcc("-o", "program", "main.c", "code.s");
    return folder.resolve("program");
  }

  private Path program(byte[]... containers) throws IOException, InterruptedException {
    return program(section(FatBinaries.SECTION, all(containers)));
  }

  private List<Finding> look(Path program, CodeTarget... targets) {
    return new ProgramCheck(folder, "", List.of(targets)).of(program.toString());
  }

  private void assertRuns(Path program, CodeTarget target) {
    List<Finding> findings = look(program, target);
    assertTrue(findings.stream().noneMatch(Finding::isBad), findings::toString);
    assertTrue(
        findings.stream().anyMatch(one -> one.text().contains("has code that runs on")),
        findings::toString);
  }

  private void assertFails(Path program, CodeTarget target, String why) {
    String bad =
        look(program, target).stream()
            .filter(Finding::isBad)
            .map(Finding::text)
            .collect(Collectors.joining("\n"));
    assertTrue(bad.contains(why), bad);
  }

  @Test
  void aLibraryThatTheLoaderDoesNotFindIsAFailure() throws Exception {
    Files.writeString(folder.resolve("lib.c"), "int f(void) { return 0; }");
    Files.writeString(folder.resolve("uses.c"), "int f(void); int main(void) { return f(); }");
    Path inner = Files.createDirectory(folder.resolve("inner"));
    gcc("-shared", "-Wl,-soname,libcudart.so.6.5", "-o", "inner/libcudart.so.6.5", "lib.c");
    gcc("-o", "without", "uses.c", "inner/libcudart.so.6.5");
    gcc("-o", "with", "uses.c", "inner/libcudart.so.6.5", "-Wl,-rpath,$ORIGIN/inner");
    assertFails(folder.resolve("without"), HOPPER, "needs libcudart.so.6.5, which is not there");
    assertTrue(look(folder.resolve("with"), HOPPER).stream().noneMatch(Finding::isBad));
    Files.delete(inner.resolve("libcudart.so.6.5"));
    assertFails(folder.resolve("with"), HOPPER, "needs libcudart.so.6.5, which is not there");
  }

  @Test
  void machineCodeRunsOnItsMajorArchitectureOnly() throws Exception {
    assertRuns(program(container(binary(80), binary(90))), HOPPER);
    assertRuns(program(container(binary(80))), CodeTarget.real("Ada", 89, CUDA_12_4));
    assertFails(program(container(binary(80))), HOPPER, "found machine code for sm_80;");
    assertFails(
        program(container(binary(86))), CodeTarget.real("Ampere", 80, CUDA_12_4), "no code");
    assertFails(
        program(container(binary(90))), CodeTarget.software(), "which takes PTX alone runs");
  }

  @Test
  void ptxRunsWhereNeitherItsTargetNorItsVersionIsTooNew() throws Exception {
    assertRuns(program(container(ptx(75, 84))), HOPPER);
    assertRuns(program(container(ptx(75, 93))), CodeTarget.software());
    assertFails(program(container(ptx(75, 85))), HOPPER, "PTX 8.5 for compute_75");
    assertFails(program(container(ptx(100, 84))), HOPPER, "PTX 8.4 for compute_100");
    assertFails(program(container(ptx(121, 93))), CodeTarget.software(), "PTX 9.3 for compute_121");
    Path specific = program(container(entry(DeviceCode.PTX, 90, 84, 0x10_0000)));
    assertRuns(specific, HOPPER);
    assertFails(specific, CodeTarget.software(), "compute_90a");
  }

  @Test
  void programsThatAreLinkedForDevicesHaveNoPtx() throws Exception {
    Path program =
        program(
            section(FatBinaries.SECTION, all(container(binary(90)), container()))
                + section(FatBinaries.RELOCATABLE_SECTION, container(ptx(75, 84))));
    assertRuns(program, HOPPER);
    assertFails(program, CodeTarget.software(), "nvcc -rdc=true");
  }

  @Test
  void someModulesWithoutCodeAreANote() throws Exception {
    Path program = program(container(binary(90)), container(ptx(75, 84)), container(binary(80)));
    String lines =
        look(program, CodeTarget.software()).stream()
            .map(Finding::line)
            .collect(Collectors.joining("\n"));
    assertTrue(lines.contains("2 modules of 3 without code"), lines);
    assertTrue(!lines.contains("FAIL"), lines);
  }

  @Test
  void theFirstDeviceIsTheOneThatCounts() throws Exception {
    Path program = program(container(binary(80)));
    CodeTarget ampere = CodeTarget.real("Ampere", 80, CUDA_12_4);
    assertTrue(look(program, ampere, HOPPER).stream().noneMatch(Finding::isBad));
    assertTrue(look(program, HOPPER, ampere).stream().anyMatch(Finding::isBad));
  }

  @Test
  void damagedSectionsAreNoError() throws Exception {
    byte[] whole = all(container(binary(80), ptx(75, 84)), container(ptx(90, 84)));
    Random random = new Random(20261124);
    for (int i = 0; i < 2_000; i++) {
      byte[] damaged = whole.clone();
      damaged[random.nextInt(whole.length)] = (byte) random.nextInt();
      FatBinaries.modules(ByteBuffer.wrap(damaged));
      FatBinaries.modules(ByteBuffer.wrap(Arrays.copyOf(whole, random.nextInt(whole.length))));
    }
    Path program = program(section(FatBinaries.SECTION, new byte[40]));
    String lines = look(program, HOPPER).toString();
    assertTrue(lines.contains("in a format that is not known"), lines);
  }
}
