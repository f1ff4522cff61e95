// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.codehaus.mojo.animal_sniffer.ClassListBuilder;
import org.codehaus.mojo.animal_sniffer.SignatureChecker;
import org.codehaus.mojo.animal_sniffer.logging.PrintWriterLogger;

/** The classes and methods of Android 13 (API level 33), D8's help included. */
final class AndroidSignatures {
  private static final Path FILE = Path.of(System.getProperty("outboard.android"));

  private AndroidSignatures() {}

  /**
   * Looks what it lacks of all that some classes use.
   *
   * @param beside what comes along
   * @return what is missing, for people; empty if nothing is
   */
  static String missing(Path classes, List<Path> beside) throws IOException {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintWriterLogger logger = new PrintWriterLogger(new PrintStream(said, true, UTF_8));
    ClassListBuilder known = new ClassListBuilder(logger);
    known.process(classes.toFile());
    for (Path folder : beside) {
      known.process(folder.toFile());
    }
    Set<String> ignored = new HashSet<>(known.getPackages());
    // D8 makes plain classes of records.
    ignored.add("java.lang.Record");
    try (InputStream signatures = Files.newInputStream(FILE)) {
      SignatureChecker checker = new SignatureChecker(signatures, ignored, logger);
      checker.setSourcePath(List.of());
      checker.process(classes.toFile());
      return checker.isSignatureBroken() ? said.toString(UTF_8) : "";
    }
  }
}
