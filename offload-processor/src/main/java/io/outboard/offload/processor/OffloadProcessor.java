// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.processor;

import io.outboard.offload.Offload;
import io.outboard.offload.Offloaded;
import io.outboard.offload.service.Service;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import javax.tools.Diagnostic;
import javax.tools.StandardLocation;

/** Writes the classes of each offloaded interface, and names implementations for a backend. */
public final class OffloadProcessor extends AbstractProcessor {
  private static final String SERVICES = "META-INF/services/" + Service.class.getName();

  /** By name: the compiler of a class for an old Java has not the type. */
  private static final List<String> PROVIDED = List.of("io.outboard.gpu.GpuSource");

  private final Map<String, Element> services = new TreeMap<>();

  @Override
  public Set<String> getSupportedAnnotationTypes() {
    return Set.of(Offload.class.getName(), Offloaded.class.getName());
  }

  @Override
  public SourceVersion getSupportedSourceVersion() {
    return SourceVersion.latestSupported();
  }

  @Override
  public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
    round.getElementsAnnotatedWith(Offload.class).forEach(one -> orSay(one, this::describe));
    round.getElementsAnnotatedWith(Offloaded.class).forEach(one -> orSay(one, this::implement));
    if (round.processingOver() && !services.isEmpty()) {
      nameServices();
    }
    return false;
  }

  private interface Step {
    void take(TypeElement element) throws IOException;
  }

  private void orSay(Element element, Step step) {
    try {
      step.take((TypeElement) element);
    } catch (WrongSource e) {
      say(e.where(), e.getMessage());
    } catch (IOException e) {
      say(element, e.toString());
    }
  }

  private void say(Element where, String what) {
    processingEnv.getMessager().printMessage(Diagnostic.Kind.ERROR, what, where);
  }

  private void describe(TypeElement element) throws IOException {
    Described of = new InterfaceReader(processingEnv).read(element);
    Codec codec = new Codec(of);
    Callers callers = new Callers(of, codec);
    write(of.folder(), of.base() + "Async", callers.async(), element);
    write(of.folder(), of.base() + "Remote", callers.remote(), element);
    write(of.folder(), of.base() + "Chooser", callers.chooser(), element);
    if (of.methods().stream().anyMatch(method -> !method.split().isEmpty())) {
      write(of.folder(), of.base() + "Split", new Splitter(of).source(), element);
    }
    Served served = new Served(of, codec);
    write(of.folder(), of.base() + "Dispatcher", served.dispatcher(), element);
    // The last: it has what the others have asked for.
    write(of.folder(), codec.name(), codec.source(), element);
  }

  private void implement(TypeElement element) throws IOException {
    Described of = new InterfaceReader(processingEnv).read(offloaded(element));
    String folder =
        processingEnv.getElementUtils().getPackageOf(element).getQualifiedName().toString();
    String full = element.getQualifiedName().toString();
    String source = folder.isEmpty() ? full : full.substring(folder.length() + 1);
    String name = source.replace(".", "") + "Service";
    write(
        folder,
        name,
        new Served(of, new Codec(of)).service(folder, source, provided(element), name),
        element);
    services.put(folder.isEmpty() ? name : folder + "." + name, element);
  }

  /** The types that its constructor takes: none, or a GPU's source. */
  private static List<String> provided(TypeElement element) {
    for (ExecutableElement one : ElementFilter.constructorsIn(element.getEnclosedElements())) {
      List<String> types =
          one.getParameters().stream().map(parameter -> parameter.asType().toString()).toList();
      if (!one.getModifiers().contains(Modifier.PRIVATE)
          && types.size() <= 1
          && PROVIDED.containsAll(types)) {
        return types;
      }
    }
    throw new WrongSource(
        element, "its constructor takes nothing, or one %s".formatted(PROVIDED.get(0)));
  }

  private static TypeElement offloaded(TypeElement element) {
    for (TypeMirror one : element.getInterfaces()) {
      TypeElement implemented = (TypeElement) ((DeclaredType) one).asElement();
      if (implemented.getAnnotation(Offload.class) != null) {
        return implemented;
      }
    }
    throw new WrongSource(element, "it implements no interface that is marked @Offload");
  }

  private void write(String folder, String name, String text, Element of) throws IOException {
    String full = folder.isEmpty() ? name : folder + "." + name;
    try (Writer file = processingEnv.getFiler().createSourceFile(full, of).openWriter()) {
      file.write(text);
    }
  }

  private void nameServices() {
    try (Writer file =
        processingEnv
            .getFiler()
            .createResource(
                StandardLocation.CLASS_OUTPUT,
                "",
                SERVICES,
                services.values().toArray(new Element[0]))
            .openWriter()) {
      file.write(String.join("\n", services.keySet()) + "\n");
    } catch (IOException e) {
      say(null, e.toString());
    }
  }
}
