// SPDX-License-Identifier: Apache-2.0
package io.outboard.voms;

import eu.emi.security.authn.x509.CrlCheckingMode;
import eu.emi.security.authn.x509.NamespaceCheckingMode;
import eu.emi.security.authn.x509.OCSPCheckingMode;
import eu.emi.security.authn.x509.ValidationResult;
import eu.emi.security.authn.x509.X509CertChainValidatorExt;
import eu.emi.security.authn.x509.proxy.ProxyUtils;
import io.outboard.identity.oidc.RefusedTokenException;
import io.outboard.identity.oidc.Verified;
import io.outboard.identity.proxy.Grid;
import io.outboard.identity.proxy.GridTrust;
import io.outboard.identity.rule.Claims;
import java.io.IOException;
import java.nio.file.Files;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.italiangrid.voms.VOMSAttribute;
import org.italiangrid.voms.VOMSError;
import org.italiangrid.voms.VOMSValidators;
import org.italiangrid.voms.ac.VOMSACValidator;
import org.italiangrid.voms.ac.VOMSValidationResult;
import org.italiangrid.voms.util.CertificateValidatorBuilder;
import org.italiangrid.voms.util.CertificateValidatorBuilder.OpensslHashFunction;

/** Verifies proxies by EMI's canl, and their attributes by VOMS's own library. */
final class VomsTrust implements GridTrust {
  /** How often the folder of authorities is looked at. */
  private static final Duration INTERVAL = Duration.ofMinutes(10);

  private final Grid grid;
  private final X509CertChainValidatorExt chains;
  private final VOMSACValidator attributes;

  VomsTrust(Grid grid, InstantSource clock) throws IOException {
    this.grid = grid;
    if (!Files.isDirectory(grid.certificates())) {
      throw new IOException("there is no folder of authorities at " + grid.certificates());
    }
    this.chains =
        new CertificateValidatorBuilder()
            .trustAnchorsDir(grid.certificates().toString())
            .opensslHashFunction(OpensslHashFunction.SHA1)
            .trustAnchorsUpdateInterval(INTERVAL.toMillis())
            .namespaceChecks(NamespaceCheckingMode.EUGRIDPMA_AND_GLOBUS_REQUIRE)
            .crlChecks(grid.revocation() ? CrlCheckingMode.REQUIRE : CrlCheckingMode.IF_VALID)
            .ocspChecks(OCSPCheckingMode.IGNORE)
            .lazyAnchorsLoading(false)
            .build();
    this.attributes = VOMSValidators.newValidator(new Servers(grid.vomsdir(), clock), chains);
  }

  @Override
  public Verified verify(List<X509Certificate> chain) throws RefusedTokenException {
    X509Certificate[] whole = chain.toArray(X509Certificate[]::new);
    try {
      ValidationResult valid = chains.validate(whole);
      if (!valid.isValid()) {
        throw new RefusedTokenException("its chain is not good: " + first(valid.getErrors()));
      }
      Delegation.check(whole, grid.limited());
      return verified(whole);
    } catch (VOMSError | IllegalArgumentException | NullPointerException | ClassCastException e) {
      // The libraries' answers to what is no proxy or no attribute certificate.
      throw new RefusedTokenException("it cannot be read: " + e.getMessage());
    }
  }

  private Verified verified(X509Certificate[] chain) throws RefusedTokenException {
    X509Certificate person = ProxyUtils.getEndUserCertificate(chain);
    Instant until = end(chain);
    Map<String, List<String>> claims = new LinkedHashMap<>();
    String name = DistinguishedName.text(person.getSubjectX500Principal());
    add(claims, "dn", name);
    add(claims, "ca", DistinguishedName.text(person.getIssuerX500Principal()));
    for (VOMSValidationResult result : attributes.validateWithResult(chain)) {
      VOMSAttribute one = good(result, person);
      Attributes said = new Attributes(one);
      add(claims, "vo", said.organisation());
      said.names().forEach(fqan -> add(claims, "fqan", fqan));
      Instant end = one.getNotAfter().toInstant();
      until = end.isBefore(until) ? end : until;
    }
    List<String> fqans = claims.getOrDefault("fqan", List.of());
    fqans.stream().findFirst().ifPresent(first -> add(claims, "primary", first));
    return new Verified(new Claims(grid.name(), name, claims), until);
  }

  private static void add(Map<String, List<String>> claims, String name, String value) {
    claims.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
  }

  /** The library compares names alone; two authorities may know people of one name. */
  private static VOMSAttribute good(VOMSValidationResult result, X509Certificate person)
      throws RefusedTokenException {
    if (!result.isValid()) {
      throw new RefusedTokenException(
          "its attributes are not good: " + first(result.getValidationErrors()));
    }
    VOMSAttribute attributes = result.getAttributes();
    if (!person.getSerialNumber().equals(attributes.getHolderSerialNumber())) {
      throw new RefusedTokenException("its attributes are for another certificate of that name");
    }
    return attributes;
  }

  private static String first(List<?> errors) {
    return errors.isEmpty() ? "nobody says why" : String.valueOf(errors.getFirst());
  }

  private static Instant end(X509Certificate[] chain) {
    Instant end = Instant.MAX;
    for (X509Certificate one : chain) {
      Instant own = one.getNotAfter().toInstant();
      end = own.isBefore(end) ? own : end;
    }
    return end;
  }

  @Override
  public void close() {
    attributes.shutdown();
    chains.dispose();
  }
}
