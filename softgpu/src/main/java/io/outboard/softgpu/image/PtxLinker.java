// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.image;

import io.outboard.cuda.CudaResult;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts several PTX texts together (PTX ISA, "Linking Directives"): a declaration with {@code
 * .extern} stands for the definition with {@code .visible} or {@code .weak} in another text, and
 * names without a directive are a text's own.
 */
public final class PtxLinker {
  private static final Pattern HEADER =
      Pattern.compile("(?m)^\\s*\\.(version|target|address_size)\\b[^\\n]*\\n?");

  private static final String LINKAGE = "(\\.visible|\\.extern|\\.weak|\\.common)?\\s*";

  /** A variable outside of functions, up to its name. */
  private static final Pattern VARIABLE =
      Pattern.compile(
          LINKAGE
              + "\\.(?:global|const|shared)\\b(?:\\s*\\.(?:align\\s+\\d+|v[24]|[a-z]\\w*))*\\s+([\\w$]+)");

  /** A function, up to its name; its result stands in parentheses before. */
  private static final Pattern FUNCTION =
      Pattern.compile(LINKAGE + "\\.(?:func|entry)\\b(?:\\s*\\([^)]*\\))?\\s*([\\w$]+)");

  /** The functions that the driver itself provides. */
  private static final Set<String> PROVIDED =
      Set.of("vprintf", "malloc", "free", "__assertfail", "cudaGraphSetConditional");

  private final List<String> texts = new ArrayList<>();

  /** Adds a text. */
  public void add(String text) {
    texts.add(text);
  }

  /** A declaration or definition. */
  private record Declared(String linkage, String name, int start, int end, boolean variable) {
    boolean isExtern() {
      return linkage.equals(".extern");
    }

    boolean isOwn() {
      return linkage.isEmpty();
    }

    /** A variable that other texts may use, and so has to come before them. */
    boolean comesFirst() {
      return variable && !isExtern() && !isOwn();
    }
  }

  /**
   * The one text that they are.
   *
   * @throws ImageException if there is none, or one names what no other one has
   */
  public String link() throws ImageException {
    if (texts.isEmpty()) {
      throw new ImageException(CudaResult.INVALID_VALUE, "there is nothing to link");
    }
    StringBuilder linked = new StringBuilder(header());
    Set<String> own = new HashSet<>();
    Set<String> defined = new HashSet<>();
    for (String text : texts) {
      declared(text).stream()
          .filter(d -> !d.isExtern() && !d.isOwn())
          .forEach(d -> defined.add(d.name()));
    }
    Set<String> written = new HashSet<>();
    StringBuilder bodies = new StringBuilder();
    for (int i = 0; i < texts.size(); i++) {
      String body = HEADER.matcher(texts.get(i)).replaceAll("");
      bodies.append(body(renamed(body, own, i), defined, written, linked)).append('\n');
    }
    return linked.append(bodies).toString();
  }

  /** The directives of the text that asks for most. */
  private String header() {
    String best = "";
    for (String text : texts) {
      StringBuilder header = new StringBuilder();
      Matcher lines = HEADER.matcher(text);
      while (lines.find()) {
        header.append(lines.group().strip()).append('\n');
      }
      best = best.compareTo(header.toString()) < 0 ? header.toString() : best;
    }
    return best;
  }

  /** Gives a text's own names that another one has too a name that nobody has. */
  private static String renamed(String text, Set<String> own, int number) {
    String renamed = text;
    for (Declared declared : declared(text)) {
      if (declared.isOwn() && !own.add(declared.name())) {
        String name = Pattern.quote(declared.name());
        renamed =
            renamed.replaceAll(
                "(?<![\\w$%])" + name + "(?![\\w$])",
                Matcher.quoteReplacement(declared.name() + "$linked" + number));
      }
    }
    return renamed;
  }

  /**
   * A text without declarations of what is defined elsewhere, or was declared before; variables
   * that others may use go to the front.
   */
  private static String body(
      String text, Set<String> defined, Set<String> written, StringBuilder front)
      throws ImageException {
    StringBuilder body = new StringBuilder(text);
    List<Declared> all = declared(text);
    for (Declared declared : all.reversed()) {
      if (declared.comesFirst()) {
        int end = text.indexOf(';', declared.end()) + 1;
        front.append(text, declared.start(), end).append('\n');
        body.delete(declared.start(), end);
      }
      if (!declared.isExtern()) {
        continue;
      }
      boolean dynamicShared = text.substring(declared.start(), declared.end()).contains(".shared");
      boolean provided = PROVIDED.contains(declared.name()) || dynamicShared;
      if (!provided && !defined.contains(declared.name())) {
        throw new ImageException(
            CudaResult.INVALID_SOURCE, "no text defines " + declared.name() + ", which one needs");
      }
      if (!provided || !written.add(declared.name())) {
        int end = text.indexOf(';', declared.end());
        body.delete(declared.start(), end < 0 ? text.length() : end + 1);
      }
    }
    return body.toString();
  }

  /** The declarations outside of functions. */
  private static List<Declared> declared(String text) {
    List<Declared> all = new ArrayList<>();
    boolean[] inside = inside(text);
    for (Pattern pattern : List.of(VARIABLE, FUNCTION)) {
      Matcher matcher = pattern.matcher(text);
      while (matcher.find()) {
        if (!inside[matcher.start()]) {
          String linkage = matcher.group(1) == null ? "" : matcher.group(1);
          all.add(
              new Declared(
                  linkage, matcher.group(2), matcher.start(), matcher.end(), pattern == VARIABLE));
        }
      }
    }
    all.sort(java.util.Comparator.comparingInt(Declared::start));
    return all;
  }

  /** Of each character whether it is in a body, in parentheses, a comment or a text. */
  private static boolean[] inside(String text) {
    boolean[] inside = new boolean[text.length() + 1];
    int depth = 0;
    for (int i = 0; i < text.length(); i++) {
      int end = skipped(text, i);
      for (int j = i; j < end; j++) {
        inside[j] = true;
      }
      i = Math.max(i, end - 1);
      char c = end > i ? ' ' : text.charAt(i);
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      inside[i] |= depth > 0;
    }
    return inside;
  }

  /** Where a comment or quoted text that begins at an index ends; the index itself if none does. */
  private static int skipped(String text, int at) {
    String end = text.startsWith("//", at) ? "\n" : text.startsWith("/*", at) ? "*/" : "";
    if (text.charAt(at) == '"') {
      end = "\"";
    }
    if (end.isEmpty()) {
      return at;
    }
    int found = text.indexOf(end, at + 1);
    return found < 0 ? text.length() : found + end.length();
  }
}
