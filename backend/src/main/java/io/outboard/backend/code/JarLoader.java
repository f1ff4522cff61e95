// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.code;

import io.outboard.offload.service.Service;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * The classes of one jar. They see the platform's, those of the module {@code offload} and the
 * façade of GPUs, and nothing else of Outboard. Which class is loaded the jar says, and never the
 * client.
 */
final class JarLoader extends ClassLoader {
  private static final String SCHEME = "offloaded";
  private static final List<String> SHARED = List.of("io.outboard.offload.", "io.outboard.gpu.");

  private final Map<String, byte[]> files;

  JarLoader(Map<String, byte[]> files) {
    super("offloaded", new Shared());
    this.files = files;
  }

  /** The classes that the jar shares with its worker. */
  private static final class Shared extends ClassLoader {
    Shared() {
      super("shared", ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (!isShared(name)) {
        throw new ClassNotFoundException(name);
      }
      return JarLoader.class.getClassLoader().loadClass(name);
    }
  }

  private static boolean isShared(String name) {
    return SHARED.stream().anyMatch(name::startsWith);
  }

  /** The service of a name, if the jar has one. */
  Optional<Service> service(String name) {
    for (Service service : ServiceLoader.load(Service.class, this)) {
      if (service.name().equals(name)) {
        return Optional.of(service);
      }
    }
    return Optional.empty();
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes = files.get(name.replace('.', '/') + ".class");
    if (bytes == null || isShared(name)) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, bytes, 0, bytes.length);
  }

  @Override
  protected URL findResource(String name) {
    byte[] bytes = files.get(name);
    try {
      return bytes == null
          ? null
          : URL.of(new URI(SCHEME, null, "/" + name, null), new InMemory(bytes));
    } catch (URISyntaxException | IOException e) {
      return null;
    }
  }

  @Override
  protected Enumeration<URL> findResources(String name) {
    URL found = findResource(name);
    return Collections.enumeration(found == null ? List.of() : List.of(found));
  }

  /** Opens bytes that are here already. */
  private static final class InMemory extends URLStreamHandler {
    private final byte[] bytes;

    InMemory(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    protected URLConnection openConnection(URL url) {
      return new URLConnection(url) {
        @Override
        public void connect() {}

        @Override
        public InputStream getInputStream() {
          return new ByteArrayInputStream(bytes);
        }
      };
    }
  }
}
