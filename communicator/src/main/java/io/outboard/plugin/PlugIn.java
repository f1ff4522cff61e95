// SPDX-License-Identifier: Apache-2.0
package io.outboard.plugin;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/**
 * A jar in the folder of plug-ins. Its manifest says for which Outboard it was built ({@code
 * Outboard-Version}, which must be this one: what is generated for a library is of one version) and
 * which of the host's libraries it needs ({@code Outboard-Needs}, their sonames).
 */
public final class PlugIn {
  private static final String BUILT_FOR = "Outboard-Version";
  private static final String NEEDS = "Outboard-Needs";

  private final Path file;
  private final String version;
  private final ClassLoader loader;

  private PlugIn(Path file, String version, ClassLoader loader) {
    this.file = file;
    this.version = version;
    this.loader = loader;
  }

  /**
   * Opens a jar.
   *
   * @throws PlugInException if it cannot be used here; the message says why
   */
  static PlugIn open(Path file) throws PlugInException {
    Attributes manifest = manifest(file);
    checkVersion(manifest.getValue(BUILT_FOR));
    checkNeeds(manifest.getValue(NEEDS));
    String version = manifest.getValue(Attributes.Name.IMPLEMENTATION_VERSION);
    return new PlugIn(file, version == null ? "" : version, loader(file));
  }

  private static Attributes manifest(Path file) throws PlugInException {
    try (JarFile jar = new JarFile(file.toFile())) {
      Manifest manifest = jar.getManifest();
      return manifest == null ? new Attributes() : manifest.getMainAttributes();
    } catch (IOException | SecurityException e) {
      throw new PlugInException("is no jar that can be read: " + e.getMessage());
    }
  }

  private static void checkVersion(String builtFor) throws PlugInException {
    if (builtFor == null) {
      throw new PlugInException("is no plug-in: its manifest has no " + BUILT_FOR);
    }
    if (!builtFor.equals(Build.VERSION)) {
      throw new PlugInException("was built for Outboard " + builtFor + ", not " + Build.VERSION);
    }
  }

  private static void checkNeeds(String needs) throws PlugInException {
    for (String library : needs == null ? new String[0] : needs.strip().split("\\s+")) {
      try (Arena arena = Arena.ofConfined()) {
        SymbolLookup unused = SymbolLookup.libraryLookup(library, arena);
      } catch (IllegalArgumentException e) {
        throw new PlugInException("needs " + library + ", which this machine lacks");
      }
    }
  }

  private static ClassLoader loader(Path file) throws PlugInException {
    try {
      URL[] classes = {file.toUri().toURL()};
      return new URLClassLoader(file.toString(), classes, PlugIn.class.getClassLoader());
    } catch (MalformedURLException e) {
      throw new PlugInException(e.getMessage());
    }
  }

  /** The jar. */
  public Path file() {
    return file;
  }

  /** Its own version; empty if it does not say. */
  public String version() {
    return version;
  }

  /**
   * Makes its services of a type; not those of this build, which its class loader sees too.
   *
   * @throws PlugInException if one cannot be made
   */
  <S> List<S> services(Class<S> type) throws PlugInException {
    try {
      return ServiceLoader.load(type, loader).stream()
          .filter(provider -> provider.type().getClassLoader() == loader)
          .map(ServiceLoader.Provider::get)
          .toList();
    } catch (ServiceConfigurationError | LinkageError e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new PlugInException(
          "has a %s that cannot be used: %s".formatted(type.getSimpleName(), cause));
    }
  }

  @Override
  public String toString() {
    return file.getFileName().toString();
  }
}
