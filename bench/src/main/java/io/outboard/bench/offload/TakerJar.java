// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.offload;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.offload.service.Service;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** The jar of the benchmark's service, made of the classes that are here. */
final class TakerJar {
  private static final List<Class<?>> CLASSES =
      List.of(Taker.class, TakerHere.class, TakerDispatcher.class, TakerHereService.class);

  private TakerJar() {}

  static void write(Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out)) {
      for (Class<?> one : CLASSES) {
        add(jar, one.getName().replace('.', '/') + ".class");
      }
      jar.putNextEntry(new JarEntry("META-INF/services/" + Service.class.getName()));
      jar.write(TakerHereService.class.getName().getBytes(UTF_8));
      jar.closeEntry();
    }
  }

  private static void add(JarOutputStream jar, String name) throws IOException {
    try (InputStream in = TakerJar.class.getClassLoader().getResourceAsStream(name)) {
      if (in == null) {
        throw new FileNotFoundException(name);
      }
      jar.putNextEntry(new JarEntry(name));
      in.transferTo(jar);
      jar.closeEntry();
    }
  }
}
