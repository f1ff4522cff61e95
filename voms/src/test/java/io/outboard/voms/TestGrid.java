// SPDX-License-Identifier: Apache-2.0
package io.outboard.voms;

import eu.emi.security.authn.x509.helpers.trust.OpensslTruststoreHelper;
import eu.emi.security.authn.x509.impl.KeyAndCertCredential;
import eu.emi.security.authn.x509.proxy.ProxyCertificate;
import eu.emi.security.authn.x509.proxy.ProxyCertificateOptions;
import eu.emi.security.authn.x509.proxy.ProxyGenerator;
import io.outboard.identity.proxy.ProxyFile;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStoreException;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AttributeCertificate;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509CRLHolder;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.italiangrid.voms.asn1.VOMSACGenerator;

/**
 * A grid without servers: an authority, people and servers of organisations with certificates of
 * it, and proxies with attributes that such a server signs.
 */
final class TestGrid {
  static final String ORGANISATION = "test.vo";
  static final String HOST = "voms.example.org";
  static final String ALICE = "DC=org,DC=outboard,CN=Alice Test";

  private static final KeyPair RSA = made("RSA", 2_048);
  private static final AtomicLong SERIAL = new AtomicLong(100);
  private static final int PORT = 15_000;

  private final Path folder;
  private final Authority authority;

  /** Somebody with a key. */
  record Credential(X509Certificate certificate, KeyPair keys) {}

  TestGrid(Path folder) throws Exception {
    this.folder = folder;
    this.authority = new Authority("DC=org,DC=outboard,CN=Test CA", rsa());
    Files.createDirectories(certificates());
    trust(authority);
    serve(ORGANISATION, "/DC=org/DC=outboard/CN=" + HOST);
  }

  Path certificates() {
    return folder.resolve("certificates");
  }

  Path vomsdir() {
    return folder.resolve("vomsdir");
  }

  Authority authority() {
    return authority;
  }

  /** One for many: to make such a key takes longer than all else. */
  static KeyPair rsa() {
    return RSA;
  }

  /** Another one each time. */
  static KeyPair curve() {
    return made("EC", 256);
  }

  private static KeyPair made(String algorithm, int bits) {
    try {
      KeyPairGenerator maker = KeyPairGenerator.getInstance(algorithm);
      maker.initialize(bits);
      return maker.generateKeyPair();
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  /** Believes an authority, within its namespace. */
  void trust(Authority one) throws Exception {
    write(one, ".0", pem("CERTIFICATE", one.own.certificate.getEncoded()));
    write(
        one,
        ".signing_policy",
        """
        access_id_CA X509 '%s'
        pos_rights globus CA:sign
        cond_subjects globus '"/DC=org/DC=outboard/*"'
        """
            .formatted(one.slashed()));
    revoke(one, List.of());
  }

  /** Writes the list of what is revoked. */
  void revoke(Authority one, List<X509Certificate> revoked) throws Exception {
    write(one, ".r0", pem("X509 CRL", one.list(revoked).getEncoded()));
  }

  private void write(Authority one, String suffix, String text) throws IOException {
    String hash =
        OpensslTruststoreHelper.getOpenSSLCAHash(
            one.own.certificate.getSubjectX500Principal(), true);
    Files.writeString(certificates().resolve(hash + suffix), text);
  }

  /** Has a server speak for an organisation. */
  void serve(String organisation, String name) throws IOException {
    Path own = Files.createDirectories(vomsdir().resolve(organisation));
    Files.writeString(own.resolve(HOST + ".lsc"), "%s%n%s%n".formatted(name, authority.slashed()));
  }

  static String pem(String label, byte[] der) {
    return "-----BEGIN %s-----%n%s%n-----END %s-----%n"
        .formatted(label, Base64.getMimeEncoder().encodeToString(der), label);
  }

  /** An authority, with the certificates that it signs. */
  static final class Authority {
    private final String name;
    private final Credential own;

    Authority(String name, KeyPair keys) throws Exception {
      this.name = name;
      this.own = new Credential(signed(name, name, keys, keys, 1, true, 30), keys);
    }

    private String slashed() {
      return "/" + name.replace(",", "/");
    }

    /** Vouches for a name. */
    Credential vouch(String subject, KeyPair keys, int days) throws Exception {
      long serial = SERIAL.incrementAndGet();
      return new Credential(signed(subject, name, keys, own.keys, serial, false, days), keys);
    }

    Credential vouch(String subject, KeyPair keys) throws Exception {
      return vouch(subject, keys, 30);
    }

    private X509CRLHolder list(List<X509Certificate> revoked) throws Exception {
      X509v2CRLBuilder list = new X509v2CRLBuilder(new X500Name(name), date(Duration.ofHours(-1)));
      list.setNextUpdate(date(Duration.ofDays(1)));
      for (X509Certificate one : revoked) {
        list.addCRLEntry(one.getSerialNumber(), date(Duration.ofHours(-1)), 0);
      }
      return list.build(signer(own.keys));
    }
  }

  static Date date(Duration fromNow) {
    return Date.from(Instant.now().plus(fromNow));
  }

  private static ContentSigner signer(KeyPair keys) throws Exception {
    boolean curve = keys.getPrivate().getAlgorithm().equals("EC");
    return new JcaContentSignerBuilder(curve ? "SHA256withECDSA" : "SHA256withRSA")
        .build(keys.getPrivate());
  }

  private static X509Certificate signed(
      String subject,
      String issuer,
      KeyPair keys,
      KeyPair issuers,
      long serial,
      boolean authority,
      int days)
      throws Exception {
    JcaX509ExtensionUtils extensions = new JcaX509ExtensionUtils();
    Date from = date(Duration.ofDays(Math.min(0, days) - 1));
    Date until = date(Duration.ofDays(days));
    X509v3CertificateBuilder certificate =
        new JcaX509v3CertificateBuilder(
            new X500Name(issuer),
            BigInteger.valueOf(serial),
            from,
            until,
            new X500Name(subject),
            keys.getPublic());
    int usage =
        authority
            ? KeyUsage.keyCertSign | KeyUsage.cRLSign
            : KeyUsage.digitalSignature | KeyUsage.keyEncipherment;
    certificate
        .addExtension(Extension.basicConstraints, true, new BasicConstraints(authority))
        .addExtension(Extension.keyUsage, true, new KeyUsage(usage))
        .addExtension(
            Extension.subjectKeyIdentifier,
            false,
            extensions.createSubjectKeyIdentifier(keys.getPublic()))
        .addExtension(
            Extension.authorityKeyIdentifier,
            false,
            extensions.createAuthorityKeyIdentifier(issuers.getPublic()));
    return new JcaX509CertificateConverter().getCertificate(certificate.build(signer(issuers)));
  }

  /** A server's words about somebody. */
  record Said(
      Credential server,
      X509Certificate holder,
      String organisation,
      List<String> fqans,
      Duration from,
      Duration until) {
    Said(Credential server, X509Certificate holder, String organisation, String... fqans) {
      this(
          server,
          holder,
          organisation,
          List.of(fqans),
          Duration.ofMinutes(-5),
          Duration.ofHours(1));
    }

    Said until(Duration later) {
      return new Said(server, holder, organisation, fqans, Duration.ofDays(-2), later);
    }

    private AttributeCertificate attributes() throws KeyStoreException {
      VOMSACGenerator generator =
          new VOMSACGenerator(
              new KeyAndCertCredential(
                  server.keys.getPrivate(), new X509Certificate[] {server.certificate}));
      return generator
          .generateVOMSAttributeCertificate(
              fqans,
              List.of(),
              List.of(),
              holder,
              BigInteger.valueOf(SERIAL.incrementAndGet()),
              date(from),
              date(until),
              organisation,
              HOST,
              PORT)
          .toASN1Structure();
    }
  }

  /** A proxy of somebody, with what servers say, and changed by a test. */
  static ProxyFile proxy(
      Credential person, List<Said> said, Consumer<ProxyCertificateOptions> change)
      throws Exception {
    return delegated(List.of(person.certificate), person.keys.getPrivate(), said, change);
  }

  static ProxyFile proxy(Credential person, Said said) throws Exception {
    return proxy(person, List.of(said), _ -> {});
  }

  /** One that the holder of a chain's first certificate makes. */
  static ProxyFile delegated(
      List<X509Certificate> chain,
      PrivateKey key,
      List<Said> said,
      Consumer<ProxyCertificateOptions> change)
      throws Exception {
    ProxyCertificateOptions options =
        new ProxyCertificateOptions(chain.toArray(X509Certificate[]::new));
    KeyPair own = curve();
    options.setPublicKey(own.getPublic());
    options.setLifetime(3_600);
    if (!said.isEmpty()) {
      List<AttributeCertificate> all = new ArrayList<>();
      for (Said one : said) {
        all.add(one.attributes());
      }
      options.setAttributeCertificates(all.toArray(AttributeCertificate[]::new));
    }
    change.accept(options);
    ProxyCertificate made = ProxyGenerator.generate(options, key);
    return new ProxyFile(List.of(made.getCertificateChain()), own.getPrivate());
  }
}
