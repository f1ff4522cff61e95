// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.communicator.certificate.TlsIdentity;
import io.outboard.wire.Sha256;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertPath;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import jdk.security.jarsigner.JarSigner;

/**
 * A jar of offloaded code, made of sources as its users make one: for Java 17, with the annotation
 * processor.
 *
 * @param classes the folder of what is in it
 */
record OffloadedJar(Path file, Path classes) {
  private static final Path SHARED = Home.PATH.resolve("offload/target/classes");
  private static final Path PROCESSOR = Home.PATH.resolve("offload-processor/target/classes");

  /** The class path of programs that offload. */
  static final List<Path> CLIENT =
      List.of(SHARED, Home.PATH.resolve("offload-client/target/classes"));

  /** The façade of GPUs, which needs a newer Java. */
  private static final Path GPU = Home.PATH.resolve("client/target/classes");

  private static final String CLIENTS_JAVA = "17";
  private static final String BACKENDS_JAVA = "25";

  /** Compiles a folder of sources. */
  static OffloadedJar of(Path sources, Path to) throws IOException {
    return of(sources, to, CLIENTS_JAVA, CLIENT);
  }

  /** Compiles one whose implementation uses a GPU. */
  static OffloadedJar withGpu(Path sources, Path to) throws IOException {
    List<Path> path = new ArrayList<>(CLIENT);
    path.add(GPU);
    return of(sources, to, BACKENDS_JAVA, path);
  }

  private static OffloadedJar of(Path sources, Path to, String release, List<Path> path)
      throws IOException {
    Path classes = Files.createDirectories(to.resolve("classes"));
    compile(sources, classes, release, path);
    Path file = to.resolve(sources.getFileName() + ".jar");
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out)) {
      for (Path one : files(classes)) {
        jar.putNextEntry(new JarEntry(classes.relativize(one).toString()));
        Files.copy(one, jar);
        jar.closeEntry();
      }
    }
    return new OffloadedJar(file, classes);
  }

  private static void compile(Path sources, Path classes, String release, List<Path> path)
      throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    List<Path> javaFiles =
        files(sources).stream().filter(file -> file.toString().endsWith(".java")).toList();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      List<String> options =
          List.of(
              "--release",
              release,
              "-Xlint:all,-options",
              "-cp",
              path(path),
              "-processorpath",
              path(List.of(PROCESSOR, SHARED)),
              "-d",
              classes.toString());
      boolean compiled =
          compiler
              .getTask(
                  said,
                  manager,
                  null,
                  options,
                  null,
                  manager.getJavaFileObjectsFromPaths(javaFiles))
              .call();
      assertTrue(compiled, said::toString);
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  static String path(List<Path> entries) {
    return String.join(":", entries.stream().map(Path::toString).toList());
  }

  /** The same jar, signed. */
  byte[] signedBy(TlsIdentity signer) throws Exception {
    CertPath chain = CertificateFactory.getInstance("X.509").generateCertPath(signer.chain());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipFile in = new ZipFile(file.toFile())) {
      new JarSigner.Builder(signer.key(), chain).build().sign(in, out);
    }
    return out.toByteArray();
  }

  /** Its SHA-256. */
  String digest() throws IOException {
    return Sha256.of(Files.readAllBytes(file)).hex();
  }
}
