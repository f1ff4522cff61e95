// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the text of a Java source says about its tests. The layout is that of the formatter. */
final class TestSource {
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");

  private static final Pattern HEAD =
      Pattern.compile("(?ms)\\A.*?^(?:public |final )*(abstract )?class \\w+(?: extends (\\w+))?");

  /** A member with its annotations, which stand in lines above it. */
  private static final Pattern MEMBER =
      Pattern.compile("(?m)^  @(?:.*\\n(?=  [@ })]))*.*\\n  (?![@/*} ])[^=\\n(]*?\\b(\\w+)\\(");

  private static final Pattern TEST =
      Pattern.compile(
          "@(?:[\\w.]+\\.)?(Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate)\\b");

  private static final Pattern LENGTHY = Pattern.compile("@Lengthy\\b|@Tag\\(\"long\"\\)");

  private final String text;
  private final Path file;

  TestSource(Path file) throws IOException {
    this.file = file;
    text = Files.readString(file);
  }

  private String simpleName() {
    return file.getFileName().toString().replaceFirst("\\.java$", "");
  }

  /** The name of the class, with its package. */
  String name() {
    Matcher declared = PACKAGE.matcher(text);
    return declared.find() ? declared.group(1) + "." + simpleName() : simpleName();
  }

  /** The class whose tests are also this one's. */
  Optional<String> base() {
    Matcher head = HEAD.matcher(text);
    return head.find() ? Optional.ofNullable(head.group(2)) : Optional.empty();
  }

  /** Whether only others have its tests. */
  boolean isAbstract() {
    Matcher head = HEAD.matcher(text);
    return head.find() && head.group(1) != null;
  }

  boolean isLengthy() {
    Matcher head = HEAD.matcher(text);
    return head.find() && LENGTHY.matcher(head.group()).find();
  }

  /** Its own tests; the value says whether that one is lengthy. */
  Map<String, Boolean> methods() {
    Map<String, Boolean> methods = new LinkedHashMap<>();
    Matcher member = MEMBER.matcher(text);
    while (member.find()) {
      if (TEST.matcher(member.group()).find()) {
        methods.put(member.group(1), LENGTHY.matcher(member.group()).find());
      }
    }
    return methods;
  }
}
