// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.doctor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Whether a device runs the code for devices in a file, which the runtime finds there. A program
 * uses the first device unless it asks for another one.
 */
final class CodeCheck {
  private static final int SHOWN = 6;

  private final List<CodeTarget> targets;

  CodeCheck(List<CodeTarget> targets) {
    this.targets = targets.stream().distinct().toList();
  }

  /** Looks at a file; no findings where it has no code for devices. */
  List<Finding> of(Path file, ElfFile elf) throws IOException {
    Optional<ByteBuffer> section = elf.section(FatBinaries.SECTION);
    if (section.isEmpty() || section.get().limit() == 0) {
      return List.of();
    }
    List<List<DeviceCode>> modules = FatBinaries.modules(section.get());
    if (modules.isEmpty()) {
      return List.of(
          Finding.doubtful(
              "%s has code for devices in a format that is not known".formatted(file)));
    }
    boolean linked =
        elf.section(FatBinaries.RELOCATABLE_SECTION).filter(any -> any.limit() > 0).isPresent();
    List<Finding> findings = new ArrayList<>();
    for (CodeTarget target : targets) {
      findings.add(finding(file, modules, linked, target));
    }
    return findings;
  }

  private Finding finding(
      Path file, List<List<DeviceCode>> modules, boolean linked, CodeTarget target) {
    List<List<DeviceCode>> unfit =
        modules.stream().filter(module -> module.stream().noneMatch(target::runs)).toList();
    if (unfit.isEmpty()) {
      return Finding.good("%s has code that runs on %s".formatted(file, target.text()));
    }
    String text =
        ("%s has %s that %s runs: found %s%s; its kernels end with error 209 (no kernel image);"
                + " build it with %s")
            .formatted(
                file,
                unfit.size() == modules.size()
                    ? "no code"
                    : "%d modules of %d without code".formatted(unfit.size(), modules.size()),
                target.text(),
                shown(unfit),
                linked ? ", linked for devices (nvcc -rdc=true), which leaves no PTX" : "",
                target.remedy());
    boolean first = target.equals(targets.getFirst());
    return first && unfit.size() == modules.size() ? Finding.bad(text) : Finding.doubtful(text);
  }

  private static String shown(List<List<DeviceCode>> modules) {
    List<String> all =
        modules.stream().flatMap(Collection::stream).map(DeviceCode::text).distinct().toList();
    String some = all.stream().limit(SHOWN).collect(Collectors.joining(", "));
    return all.size() > SHOWN ? some + ", …" : some;
  }
}
