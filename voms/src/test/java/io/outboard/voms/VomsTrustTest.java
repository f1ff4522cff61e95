// SPDX-License-Identifier: Apache-2.0
package io.outboard.voms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import eu.emi.security.authn.x509.proxy.ProxyPolicy;
import eu.emi.security.authn.x509.proxy.ProxyType;
import io.outboard.identity.oidc.RefusedTokenException;
import io.outboard.identity.oidc.Verified;
import io.outboard.identity.proxy.Grid;
import io.outboard.identity.proxy.ProxyFile;
import io.outboard.voms.TestGrid.Authority;
import io.outboard.voms.TestGrid.Credential;
import io.outboard.voms.TestGrid.Said;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Proxies that are good, and those by which somebody tries to be somebody else. */
final class VomsTrustTest {
  private static final String GPU = "/test.vo/gpu/Role=user";

  @TempDir private Path folder;
  private TestGrid grid;
  private Credential alice;
  private Credential server;

  @BeforeEach
  void begin() throws Exception {
    grid = new TestGrid(folder);
    alice = grid.authority().vouch(TestGrid.ALICE, TestGrid.rsa());
    server = server(TestGrid.HOST);
  }

  private Credential server(String name) throws Exception {
    return grid.authority().vouch("DC=org,DC=outboard,CN=" + name, TestGrid.rsa());
  }

  private Said said(String... fqans) {
    return new Said(server, alice.certificate(), TestGrid.ORGANISATION, fqans);
  }

  private Verified verified(List<X509Certificate> chain, String... more) throws Exception {
    Map<String, String> values = new HashMap<>();
    values.put("audience", "office");
    values.put("certificates", grid.certificates().toString());
    values.put("vomsdir", grid.vomsdir().toString());
    for (int i = 0; i < more.length; i += 2) {
      values.put(more[i], more[i + 1]);
    }
    try (VomsTrust trust = new VomsTrust(Grid.of("grid", values), InstantSource.system())) {
      return trust.verify(chain);
    }
  }

  private void assertRefused(ProxyFile proxy, String why, String... more) {
    String told =
        assertThrows(RefusedTokenException.class, () -> verified(proxy.chain(), more)).getMessage();
    assertTrue(told.contains(why), told);
  }

  @Test
  void aProxyHasItsHoldersNameAndAttributes() throws Exception {
    ProxyFile proxy =
        TestGrid.proxy(
            alice,
            said(
                "/test.vo/gpu/Role=user/Capability=NULL",
                "/test.vo/Role=NULL/Capability=NULL",
                "/test.vo/a b"));
    Verified told = verified(proxy.chain());
    assertEquals("/DC=org/DC=outboard/CN=Alice Test", told.claims().subject());
    assertEquals(
        Map.of(
            "dn", List.of("/DC=org/DC=outboard/CN=Alice Test"),
            "ca", List.of("/DC=org/DC=outboard/CN=Test CA"),
            "vo", List.of("test.vo"),
            "fqan", List.of(GPU, "/test.vo"),
            "primary", List.of(GPU)),
        told.claims().values());
    assertTrue(told.until().isBefore(Instant.now().plus(Duration.ofHours(1))));
  }

  @Test
  void aProxyOfAProxyHasThemToo() throws Exception {
    KeyPair keys = TestGrid.rsa();
    ProxyFile first =
        TestGrid.proxy(alice, List.of(said(GPU)), one -> one.setPublicKey(keys.getPublic()));
    ProxyFile second = TestGrid.delegated(first.chain(), keys.getPrivate(), List.of(), _ -> {});
    assertEquals(List.of(GPU), verified(second.chain()).claims().values().get("fqan"));
  }

  @Test
  void oneWithoutAttributesHasANameAlone() throws Exception {
    Map<String, List<String>> claims =
        verified(TestGrid.proxy(alice, List.of(), _ -> {}).chain()).claims().values();
    assertEquals(List.of("/DC=org/DC=outboard/CN=Alice Test"), claims.get("dn"));
    assertTrue(claims.keySet().stream().noneMatch(List.of("vo", "fqan", "primary")::contains));
  }

  @Test
  void whatIsOverIsRefused() throws Exception {
    assertRefused(TestGrid.proxy(alice, said(GPU).until(Duration.ofDays(-1))), "valid");
    Credential gone = grid.authority().vouch(TestGrid.ALICE, TestGrid.rsa(), -1);
    assertRefused(TestGrid.proxy(gone, List.of(), _ -> {}), "expired");
    ProxyFile over =
        TestGrid.proxy(
            alice,
            List.of(),
            options ->
                options.setValidityBounds(
                    TestGrid.date(Duration.ofHours(-2)), TestGrid.date(Duration.ofHours(-1))));
    assertRefused(over, "expired");
  }

  @Test
  void anotherAuthorityIsNone() throws Exception {
    Authority other = new Authority("DC=org,DC=outboard,CN=Test CA", TestGrid.curve());
    Credential forged = other.vouch(TestGrid.ALICE, TestGrid.curve());
    Said said = new Said(server, forged.certificate(), TestGrid.ORGANISATION, GPU);
    assertRefused(TestGrid.proxy(forged, said), "cannot be read");
    Credential own = other.vouch("DC=org,DC=outboard,CN=" + TestGrid.HOST, TestGrid.curve());
    Said forgery = new Said(own, alice.certificate(), TestGrid.ORGANISATION, GPU);
    assertRefused(TestGrid.proxy(alice, forgery), "cannot be read");
  }

  /** One that the site believes, for another part of the world. */
  @Test
  void anAuthorityVouchesWithinItsNamespaceAlone() throws Exception {
    Credential foreign = grid.authority().vouch("DC=com,CN=Alice Test", TestGrid.rsa());
    assertRefused(TestGrid.proxy(foreign, List.of(), _ -> {}), "NAMESPACE");
  }

  /** The servers of both are known, and each speaks for its own. */
  @Test
  void aServerSpeaksForItsOwnOrganisation() throws Exception {
    grid.serve("other.vo", "/DC=org/DC=outboard/CN=voms.other.org");
    Credential other = server("voms.other.org");
    assertEquals(
        List.of("/other.vo"),
        verified(
                TestGrid.proxy(alice, new Said(other, alice.certificate(), "other.vo", "/other.vo"))
                    .chain())
            .claims()
            .values()
            .get("fqan"));
    Said another = new Said(other, alice.certificate(), TestGrid.ORGANISATION, GPU);
    assertRefused(TestGrid.proxy(alice, another), "LSC");
    // Its own organisation, whose members are another one's.
    assertRefused(
        TestGrid.proxy(alice, new Said(other, alice.certificate(), "other.vo", GPU)),
        "another organisation");
    Said third = new Said(other, alice.certificate(), "third.vo", "/third.vo");
    assertRefused(TestGrid.proxy(alice, third), "LSC");
  }

  /** The library would believe a certificate there for each organisation. */
  @Test
  void aServersCertificateInTheFolderIsNotLookedAt() throws Exception {
    Credential other = server("voms.other.org");
    Files.writeString(
        grid.vomsdir().resolve("other.pem"),
        TestGrid.pem("CERTIFICATE", other.certificate().getEncoded()));
    Said another = new Said(other, alice.certificate(), TestGrid.ORGANISATION, GPU);
    assertRefused(TestGrid.proxy(alice, another), "LSC");
  }

  @Test
  void attributesOfAnotherHolderAreNone() throws Exception {
    Credential eve = grid.authority().vouch("DC=org,DC=outboard,CN=Eve", TestGrid.rsa());
    assertRefused(TestGrid.proxy(eve, said(GPU)), "AC holder");
    Credential namesake = grid.authority().vouch(TestGrid.ALICE, TestGrid.rsa());
    assertRefused(TestGrid.proxy(namesake, said(GPU)), "another certificate");
  }

  @Test
  void whoIsRevokedIsRefused() throws Exception {
    grid.revoke(grid.authority(), List.of(alice.certificate()));
    assertRefused(TestGrid.proxy(alice, said(GPU)), "revoked");
  }

  @Test
  void withoutAListOfTheRevokedNobodyIsLetInUnlessTheFileSaysSo() throws Exception {
    try (Stream<Path> files = Files.list(grid.certificates())) {
      for (Path file : files.filter(one -> one.toString().endsWith(".r0")).toList()) {
        Files.delete(file);
      }
    }
    ProxyFile proxy = TestGrid.proxy(alice, said(GPU));
    assertRefused(proxy, "CRL");
    assertEquals(
        List.of("test.vo"),
        verified(proxy.chain(), "revocation", "where-known").claims().values().get("vo"));
  }

  @Test
  void aProxyHasTheRightsThatItsHolderGaveIt() throws Exception {
    ProxyFile limited = TestGrid.proxy(alice, List.of(said(GPU)), one -> one.setLimited(true));
    assertRefused(limited, "limited");
    assertEquals(
        List.of(GPU), verified(limited.chain(), "limited", "taken").claims().values().get("fqan"));
    ProxyFile independent =
        TestGrid.proxy(
            alice,
            List.of(said(GPU)),
            one -> one.setPolicy(new ProxyPolicy(ProxyPolicy.INDEPENDENT_POLICY_OID)));
    assertRefused(independent, "policy of its own", "limited", "taken");
    ProxyFile old = TestGrid.proxy(alice, List.of(said(GPU)), one -> one.setType(ProxyType.LEGACY));
    assertRefused(old, "RFC 3820");
  }

  /** A proxy's name is its issuer's with one part more, so that this would be for Alice's name. */
  @Test
  void aPersonsOwnCertificateIsNoProxyAndSignsNoPerson() throws Exception {
    assertRefused(
        new ProxyFile(List.of(alice.certificate()), alice.keys().getPrivate()), "no proxy");
    Authority self = new Authority(TestGrid.ALICE, TestGrid.rsa());
    Credential bob = self.vouch("DC=org,DC=outboard,CN=Bob", TestGrid.curve());
    assertRefused(
        new ProxyFile(List.of(bob.certificate(), alice.certificate()), bob.keys().getPrivate()),
        "chain is not good",
        "revocation",
        "where-known");
  }

  /** A Cyrillic letter, and a slash within a name. */
  @Test
  void lookAlikesAreOthers() throws Exception {
    grid.serve("t\u0435st.vo", "/DC=org/DC=outboard/CN=" + TestGrid.HOST);
    Verified told =
        verified(TestGrid.proxy(alice, said("/test.vo/g\u0440u/Role=user", "/test.vo")).chain());
    assertEquals(List.of("/test.vo"), told.claims().values().get("fqan"));
    assertRefused(TestGrid.proxy(alice, said("/t\u0435st.vo/gpu")), "another organisation");
    Credential slash =
        grid.authority().vouch("DC=org,DC=outboard,CN=Eve/CN\\=Alice Test", TestGrid.rsa());
    assertEquals(
        "/DC=org/DC=outboard/CN=Eve\\x2FCN=Alice Test",
        verified(TestGrid.proxy(slash, List.of(), _ -> {}).chain()).claims().subject());
    Credential cyrillic =
        grid.authority().vouch("DC=org,DC=outboard,CN=\u0410lice Test", TestGrid.rsa());
    assertEquals(
        "/DC=org/DC=outboard/CN=\\xD0\\x90lice Test",
        verified(TestGrid.proxy(cyrillic, List.of(), _ -> {}).chain()).claims().subject());
  }
}
