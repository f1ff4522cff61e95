// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.code;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.client.Session;
import io.outboard.gpu.Gpu;
import io.outboard.offload.service.Dispatcher;
import io.outboard.offload.service.Provided;
import io.outboard.offload.service.Service;
import io.outboard.wire.Bytes;
import io.outboard.wire.CodeRequest;
import io.outboard.wire.Sha256;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;

/** Jars of strangers: what is loaded of them, and what bounds them. */
final class JarLoaderTest {
  private static final String SERVICES = "META-INF/services/" + Service.class.getName();
  private static final List<Class<?>> CLASSES =
      List.of(
          Everything.class,
          EverythingHere.class,
          EverythingDispatcher.class,
          EverythingCodec.class,
          EverythingHereService.class);

  /** Loading it is seen. */
  public static final class Foreign {
    static {
      System.setProperty("outboard.test.foreign", "loaded");
    }
  }

  private static byte[] bytes(Class<?> one) throws IOException {
    String file = "/" + one.getName().replace('.', '/') + ".class";
    try (InputStream in = JarLoaderTest.class.getResourceAsStream(file)) {
      return in.readAllBytes();
    }
  }

  private static Map<String, byte[]> files(String services) throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    List<Class<?>> all = new ArrayList<>(CLASSES);
    all.addAll(List.of(Everything.class.getDeclaredClasses()));
    for (Class<?> one : all) {
      files.put(one.getName().replace('.', '/') + ".class", bytes(one));
    }
    files.put(SERVICES, services.getBytes(UTF_8));
    return files;
  }

  private static byte[] jar(Map<String, byte[]> files) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        zip.putNextEntry(new ZipEntry(file.getKey()));
        zip.write(file.getValue());
        zip.closeEntry();
      }
    }
    return out.toByteArray();
  }

  private static CodeRequest request(byte[] jar, String service, String encodings) {
    byte[] digest = new byte[CodeRequest.DIGEST];
    for (int i = 0; i < digest.length; i++) {
      digest[i] = (byte) Integer.parseInt(encodings.substring(2 * i, 2 * i + 2), 16);
    }
    return new CodeRequest(0, Sha256.of(jar), Bytes.of(digest), service);
  }

  private static Dispatcher open(byte[] jar, CodeRequest request) throws IOException {
    return CodeWorker.open(jar, Optional.empty(), request, Provided.nothing());
  }

  @Test
  void aServiceIsFoundByItsName() throws IOException {
    byte[] jar = jar(files(EverythingHereService.class.getName()));
    Object found = open(jar, request(jar, "everything", EverythingRemote.DIGEST));
    assertEquals("JarLoader", found.getClass().getClassLoader().getClass().getSimpleName());
  }

  @Test
  void anotherVersionOfTheInterfaceIsRefused() throws IOException {
    byte[] jar = jar(files(EverythingHereService.class.getName()));
    CodeRequest other = request(jar, "everything", "0".repeat(64));
    IOException refused = assertThrows(IOException.class, () -> open(jar, other));
    assertTrue(refused.getMessage().contains("another version"), refused::getMessage);
  }

  @Test
  void anotherJarIsRefused() throws IOException {
    byte[] jar = jar(files(EverythingHereService.class.getName()));
    CodeRequest request = request(new byte[1], "everything", EverythingRemote.DIGEST);
    assertThrows(IOException.class, () -> open(jar, request));
  }

  /** The client names a class that is in the jar and no service: it is not even looked at. */
  @Test
  void aClassThatIsNamedIsNotLoaded() throws IOException {
    Map<String, byte[]> files = files(EverythingHereService.class.getName());
    files.put(Foreign.class.getName().replace('.', '/') + ".class", bytes(Foreign.class));
    byte[] jar = jar(files);
    for (String name : List.of(Foreign.class.getName(), "java.lang.Runtime", "")) {
      String asked = name.isEmpty() ? EverythingHere.class.getName() : name;
      CodeRequest request = request(jar, asked, EverythingRemote.DIGEST);
      assertThrows(IOException.class, () -> open(jar, request));
    }
    assertEquals("", System.getProperty("outboard.test.foreign", ""));
  }

  @Test
  void theWorkersOwnClassesAreNotSeen() throws Exception {
    JarLoader loader = new JarLoader(files(EverythingHereService.class.getName()));
    for (Class<?> own : List.of(CodeSession.class, CodeRequest.class, Session.class, Test.class)) {
      assertThrows(ClassNotFoundException.class, () -> loader.loadClass(own.getName()));
    }
    for (Class<?> shared : List.of(Service.class, Gpu.class)) {
      assertEquals(shared, loader.loadClass(shared.getName()));
    }
  }

  /** A jar's classes of Outboard's names are not taken for Outboard's. */
  @Test
  void sharedClassesAreTheWorkers() throws Exception {
    Map<String, byte[]> files = files(EverythingHereService.class.getName());
    files.put(Service.class.getName().replace('.', '/') + ".class", new byte[4]);
    assertEquals(Service.class, new JarLoader(files).loadClass(Service.class.getName()));
  }

  @Test
  void aBombIsRefused() throws IOException {
    byte[] jar = jar(Map.of("zeros", new byte[(128 << 20) + 1]));
    assertTrue(jar.length < 1 << 20);
    assertThrows(IOException.class, () -> BoundedJar.unpack(jar, Optional.empty()));
  }

  @Test
  void tooManyFilesAreRefused() throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    for (int i = 0; i <= 10_000; i++) {
      files.put("file" + i, new byte[0]);
    }
    byte[] jar = jar(files);
    assertThrows(IOException.class, () -> BoundedJar.unpack(jar, Optional.empty()));
  }
}
