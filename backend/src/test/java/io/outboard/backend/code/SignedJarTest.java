// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.code;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.communicator.certificate.Issuer;
import io.outboard.communicator.certificate.TlsIdentity;
import io.outboard.wire.Bytes;
import io.outboard.wire.Sha256;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import jdk.security.jarsigner.JarSigner;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jars that a signature lets run, and those of others who would like that. */
final class SignedJarTest {
  private static final Instant FROM = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant UNTIL = Instant.parse("2099-01-01T00:00:00Z");
  private static final Issuer ISSUER = new Issuer(Issuer.authority("authority", FROM, UNTIL));
  private static final TlsIdentity LISTED = ISSUER.client("listed", FROM, UNTIL);
  private static final Map<String, String> FILES =
      Map.of("a/One.class", "one", "META-INF/services/x", "two");

  @TempDir private static Path folder;
  private static byte[] signed;

  @BeforeAll
  static void sign() throws Exception {
    signed = signed(LISTED);
  }

  private static byte[] signed(TlsIdentity by) throws Exception {
    SequencedMap<String, byte[]> files = new LinkedHashMap<>();
    FILES.forEach((name, text) -> files.put(name, text.getBytes(UTF_8)));
    Path plain = Files.write(folder.resolve("plain.jar"), zip(files));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipFile in = new ZipFile(plain.toFile())) {
      new JarSigner.Builder(
              by.key(), CertificateFactory.getInstance("X.509").generateCertPath(by.chain()))
          .build()
          .sign(in, out);
    }
    return out.toByteArray();
  }

  private static byte[] zip(SequencedMap<String, byte[]> files) throws IOException {
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

  /** The entries of the signed one, in their order. */
  private static SequencedMap<String, byte[]> entries() throws IOException {
    SequencedMap<String, byte[]> entries = new LinkedHashMap<>();
    try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(signed))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        entries.put(entry.getName(), in.readAllBytes());
      }
    }
    return entries;
  }

  private static Map<String, byte[]> unpack(byte[] jar, TlsIdentity... listed) throws Exception {
    Set<Bytes> certificates = new HashSet<>();
    for (TlsIdentity one : listed) {
      certificates.add(Sha256.of(one.certificate().getEncoded()));
    }
    return BoundedJar.unpack(jar, Optional.of(new Signatures(certificates)));
  }

  private static void isRefused(String why, byte[] jar, TlsIdentity... listed) {
    IOException refused = assertThrows(IOException.class, () -> unpack(jar, listed));
    assertTrue(refused.getMessage().contains(why), refused::getMessage);
  }

  @Test
  void itsFilesAreThereAndNotThoseOfTheSignature() throws Exception {
    Map<String, byte[]> files = unpack(signed, LISTED);
    assertEquals(FILES.keySet(), files.keySet());
    assertEquals("one", new String(files.get("a/One.class"), UTF_8));
  }

  @Test
  void aFileThatWasAddedIsRefused() throws Exception {
    for (String name : List.of("a/Two.class", "META-INF/services/y", "META-INF/MANIFEST.MF2")) {
      SequencedMap<String, byte[]> entries = entries();
      entries.put(name, new byte[] {1});
      isRefused("not signed", zip(entries), LISTED);
    }
  }

  @Test
  void aFileThatHasANameOfSignaturesIsNotKept() throws Exception {
    SequencedMap<String, byte[]> entries = entries();
    entries.put("META-INF/SIG-X.class", new byte[] {1});
    assertEquals(FILES.keySet(), unpack(zip(entries), LISTED).keySet());
  }

  @Test
  void aFileThatWasChangedIsRefused() throws Exception {
    SequencedMap<String, byte[]> entries = entries();
    entries.put("a/One.class", "two".getBytes(UTF_8));
    isRefused("signature is wrong", zip(entries), LISTED);
  }

  @Test
  void aSignatureThatWasTakenAwayIsMissed() throws Exception {
    for (String part : List.of("META-INF/[^/]*[.]SF", "META-INF/[^/]*[.]EC", "META-INF/[^/]*")) {
      SequencedMap<String, byte[]> entries = entries();
      assertTrue(entries.keySet().removeIf(name -> name.matches(part)), part);
      isRefused("not signed", zip(entries), LISTED);
    }
  }

  /** The digests of its files are looked for where the specification has them, and nowhere else. */
  @Test
  void aManifestThatComesLateIsNone() throws Exception {
    SequencedMap<String, byte[]> entries = entries();
    byte[] manifest = entries.remove("META-INF/MANIFEST.MF");
    entries.putLast("META-INF/MANIFEST.MF", manifest);
    isRefused("not signed", zip(entries), LISTED);
  }

  @Test
  void anotherKeyIsRefused() throws Exception {
    TlsIdentity other = ISSUER.client("listed", FROM, UNTIL);
    isRefused("no listed signer", signed(other), LISTED);
    isRefused("no listed signer", signed);
  }

  @Test
  void aCertificateWhoseTimeIsOverIsRefused() throws Exception {
    TlsIdentity expired = ISSUER.client("listed", FROM, FROM.plusSeconds(1));
    isRefused("no listed signer", signed(expired), expired);
    TlsIdentity early = ISSUER.client("listed", UNTIL.minusSeconds(1), UNTIL);
    isRefused("no listed signer", signed(early), early);
  }
}
