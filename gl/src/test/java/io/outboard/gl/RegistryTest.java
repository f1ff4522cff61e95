// SPDX-License-Identifier: Apache-2.0
package io.outboard.gl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * The generated interfaces are what Khronos' registry says. Only where that is: in the file
 * OUTBOARD_GL_XML, or where the package khronos-api has it, which may be an older one.
 */
@EnabledIf(value = "isInstalled", disabledReason = "Khronos' registry is not there")
final class RegistryTest {
  private static final Path FILE =
      Path.of(System.getenv().getOrDefault("OUTBOARD_GL_XML", "/usr/share/khronos-api/gl.xml"));
  private static final List<Class<?>> GENERATED =
      List.of(GlFixed.class, Gl1.class, Gl2.class, Gl3.class, Gl4.class, GlEs.class);
  private static final Set<String> BYTES = Set.of("GLboolean", "GLbyte", "GLubyte", "GLchar");
  private static final Set<String> SHORTS = Set.of("GLshort", "GLushort");
  private static final Set<String> FLOATS = Set.of("GLfloat", "GLclampf");
  private static final Set<String> DOUBLES = Set.of("GLdouble", "GLclampd");
  private static final Set<String> LONGS =
      Set.of("GLintptr", "GLsizeiptr", "GLint64", "GLuint64", "GLsync");

  private static Map<String, Element> commands;
  private static Element root;

  static boolean isInstalled() {
    return Files.exists(FILE);
  }

  @BeforeAll
  static void read() throws Exception {
    root =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(FILE.toFile())
            .getDocumentElement();
    commands = new HashMap<>();
    for (Element command : below(root, "command")) {
      below(command, "proto").stream()
          .map(proto -> text(proto, "name"))
          .forEach(name -> commands.put(name, command));
    }
  }

  @Test
  void parametersAreTheRegistrys() {
    List<String> wrong = new ArrayList<>();
    for (Class<?> topic : GENERATED) {
      for (Method method : topic.getDeclaredMethods()) {
        String expected = expected(commands.get(method.getName()));
        String found = found(method);
        if (!expected.equals(found)) {
          wrong.add(method.getName() + found + " and not " + expected);
        }
      }
    }
    assertEquals(List.of(), wrong);
  }

  /** Served, answered in the program, or refused by its name. */
  @Test
  void eachFunctionOfAVersionHasASymbol() throws IOException {
    Set<String> symbols =
        Files.readAllLines(Path.of("symbols.tsv")).stream()
            .filter(line -> !line.startsWith("#"))
            .map(line -> line.split("\t", -1)[1])
            .collect(Collectors.toSet());
    Set<String> missing = new TreeSet<>();
    for (Element feature : below(root, "feature")) {
      if (Set.of("gl", "gles2").contains(feature.getAttribute("api"))) {
        below(feature, "require").stream()
            .flatMap(required -> below(required, "command").stream())
            .map(command -> command.getAttribute("name"))
            .filter(name -> !symbols.contains(name))
            .forEach(missing::add);
      }
    }
    assertEquals(Set.of(), missing);
    assertTrue(symbols.size() > 1000, symbols::toString);
  }

  /** Its parameters, what is returned, and no more than a length that this project adds. */
  private static String expected(Element command) {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (Element parameter : below(command, "param")) {
      parameters.put(text(parameter, "name"), type(parameter));
    }
    Element proto = below(command, "proto").getFirst();
    if (!proto.getTextContent().startsWith("void ")) {
      parameters.put("made", "long");
    }
    return parameters.toString();
  }

  private static String found(Method method) {
    return Arrays.stream(method.getParameters())
        .filter(parameter -> !parameter.getName().equals("many"))
        .collect(
            Collectors.toMap(
                Parameter::getName,
                parameter -> parameter.getType().getName(),
                (one, _) -> one,
                LinkedHashMap::new))
        .toString();
  }

  /** The type in Java of a parameter in C. */
  private static String type(Element parameter) {
    if (parameter.getTextContent().contains("*")) {
      return "long";
    }
    String type = text(parameter, "ptype");
    if (BYTES.contains(type)) {
      return "byte";
    }
    if (SHORTS.contains(type)) {
      return "short";
    }
    if (FLOATS.contains(type)) {
      return "float";
    }
    if (DOUBLES.contains(type)) {
      return "double";
    }
    return LONGS.contains(type) ? "long" : "int";
  }

  private static String text(Element element, String name) {
    return below(element, name).stream().findFirst().map(Node::getTextContent).orElse("");
  }

  private static List<Element> below(Element element, String name) {
    NodeList all = element.getElementsByTagName(name);
    return IntStream.range(0, all.getLength())
        .mapToObj(all::item)
        .flatMap(node -> node instanceof Element one ? Stream.of(one) : Stream.of())
        .toList();
  }
}
