// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.processor;

import io.outboard.offload.Offload;
import io.outboard.offload.Range;
import io.outboard.offload.Repeatable;
import io.outboard.offload.Split;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import javax.annotation.processing.ProcessingEnvironment;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;

/** Reads an interface that is marked {@code @Offload}, and refuses what cannot travel. */
final class InterfaceReader {
  private static final String NAME = "[A-Za-z0-9.-]{1,63}";
  private static final int MOST_METHODS = 1 << 15;
  private static final int MOST_EXCEPTIONS = 256;

  /** Names of generated classes' own. */
  private static final Set<String> TAKEN =
      Set.of(
          "in",
          "out",
          "e",
          "result",
          "size",
          "begin",
          "thrown",
          "failure",
          "caller",
          "choice",
          "remote",
          "local",
          "implementation",
          "workers",
          "worker",
          "part",
          "parts",
          "joined",
          "one");

  private static final Set<String> NUMBERS = Set.of("int", "long", "double");

  private final ProcessingEnvironment environment;
  private final NamedTypes types;

  InterfaceReader(ProcessingEnvironment environment) {
    this.environment = environment;
    types = new NamedTypes(environment.getTypeUtils());
  }

  Described read(TypeElement element) {
    String service = element.getAnnotation(Offload.class).value();
    check(element.getKind() == ElementKind.INTERFACE, element, "@Offload is for an interface");
    check(service.matches(NAME), element, "a service's name is 1 to 63 letters, digits, . and -");
    check(element.getTypeParameters().isEmpty(), element, "a generic interface is not offloaded");
    check(
        element.getInterfaces().isEmpty(), element, "an offloaded interface extends no other one");
    List<Described.Method> methods = new ArrayList<>();
    for (ExecutableElement method : ElementFilter.methodsIn(element.getEnclosedElements())) {
      if (method.getModifiers().contains(Modifier.ABSTRACT)) {
        methods.add(method(method));
      }
    }
    check(!methods.isEmpty() && methods.size() < MOST_METHODS, element, "there are no methods");
    String folder =
        environment.getElementUtils().getPackageOf(element).getQualifiedName().toString();
    String name = element.getQualifiedName().toString();
    String source = folder.isEmpty() ? name : name.substring(folder.length() + 1);
    return new Described(folder, source, service, methods, new LinkedHashMap<>(types.contents()));
  }

  private Described.Method method(ExecutableElement method) {
    check(method.getTypeParameters().isEmpty(), method, "a generic method is not offloaded");
    List<ValueType.Component> parameters = new ArrayList<>();
    for (VariableElement one : method.getParameters()) {
      String name = own(one.getSimpleName().toString());
      parameters.add(new ValueType.Component(name, types.of(one.asType(), one)));
    }
    TypeMirror result = method.getReturnType();
    ValueType returned = result.getKind() == TypeKind.VOID ? null : types.of(result, method);
    List<String> thrown = new ArrayList<>();
    method.getThrownTypes().forEach(one -> thrown.add(exception(one, method)));
    check(thrown.size() <= MOST_EXCEPTIONS, method, "it declares too many exceptions");
    return new Described.Method(
        method.getSimpleName().toString(),
        method.getAnnotation(Repeatable.class) != null || method.getAnnotation(Split.class) != null,
        split(method, parameters, returned),
        parameters,
        returned,
        thrown);
  }

  /** The name of a parameter in generated classes. */
  private static String own(String name) {
    return TAKEN.contains(name) ? name + "Value" : name;
  }

  private static List<String> split(
      ExecutableElement method, List<ValueType.Component> parameters, ValueType result) {
    Split split = method.getAnnotation(Split.class);
    if (split == null) {
      return List.of();
    }
    boolean over =
        parameters.stream()
            .anyMatch(
                one ->
                    one.name().equals(own(split.over()))
                        && one.type().source().equals(Range.class.getName()));
    check(over, method, "@Split is over a parameter that is a " + Range.class.getName());
    boolean joined =
        split.join() == Split.Join.SUM
            ? result instanceof ValueType.Scalar number
                && NUMBERS.contains(number.primitive())
                && !number.boxed()
            : result instanceof ValueType.Sequence;
    check(joined, method, "@Split joins int, long and double by SUM, and a List by CONCAT");
    return List.of(own(split.over()), split.join().name());
  }

  /** Of an exception nothing but its text travels, so that it is made of a text. */
  private String exception(TypeMirror type, ExecutableElement method) {
    TypeElement element = (TypeElement) ((DeclaredType) type).asElement();
    boolean ofText =
        ElementFilter.constructorsIn(element.getEnclosedElements()).stream()
            .filter(one -> !one.getModifiers().contains(Modifier.PRIVATE))
            .anyMatch(
                one ->
                    one.getParameters().size() == 1
                        && one.getParameters()
                            .get(0)
                            .asType()
                            .toString()
                            .equals(String.class.getName()));
    check(
        ofText && !element.getModifiers().contains(Modifier.ABSTRACT),
        method,
        type + " has no constructor that takes a text");
    return element.getQualifiedName().toString();
  }

  private static void check(boolean right, Element where, String otherwise) {
    if (!right) {
      throw new WrongSource(where, otherwise);
    }
  }
}
