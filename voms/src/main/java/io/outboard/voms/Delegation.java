// SPDX-License-Identifier: Apache-2.0
package io.outboard.voms;

import eu.emi.security.authn.x509.proxy.ProxyChainInfo;
import eu.emi.security.authn.x509.proxy.ProxyChainType;
import eu.emi.security.authn.x509.proxy.ProxyPolicy;
import eu.emi.security.authn.x509.proxy.ProxyUtils;
import io.outboard.identity.oidc.RefusedTokenException;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Looks at how much of a person's rights a proxy has (RFC 3820, 3.8.2): all of them, or those of a
 * limited one. One of another policy has none here.
 */
final class Delegation {
  private Delegation() {}

  /**
   * Checks each proxy of a chain.
   *
   * @throws RefusedTokenException if one is of an older kind, or has not the rights
   */
  static void check(X509Certificate[] chain, boolean limited) throws RefusedTokenException {
    try {
      ProxyChainInfo proxies = new ProxyChainInfo(chain);
      X509Certificate[] all = Arrays.copyOf(chain, proxies.getFirstProxyPosition() + 1);
      if (!Arrays.stream(all).allMatch(ProxyUtils::isProxy)
          || proxies.getProxyType() != ProxyChainType.RFC3820) {
        throw new RefusedTokenException("it is no proxy of RFC 3820");
      }
      checkPolicies(proxies.getPolicy(), limited);
      if (proxies.getProxySourceRestrictions() != null
          || proxies.getProxyTargetRestrictions() != null) {
        throw new RefusedTokenException("the proxy is for some addresses alone");
      }
    } catch (CertificateException | IOException e) {
      throw new RefusedTokenException("it is no proxy: " + e.getMessage());
    }
  }

  private static void checkPolicies(ProxyPolicy[] policies, boolean limited)
      throws RefusedTokenException {
    Set<String> taken = new HashSet<>(Set.of(ProxyPolicy.INHERITALL_POLICY_OID));
    if (limited) {
      boolean unused = taken.add(ProxyPolicy.LIMITED_PROXY_OID);
    }
    for (ProxyPolicy policy : policies) {
      if (!taken.contains(policy.getPolicyOID())) {
        throw new RefusedTokenException(
            policy.getPolicyOID().equals(ProxyPolicy.LIMITED_PROXY_OID)
                ? "the proxy is a limited one"
                : "the proxy has a policy of its own: " + policy.getPolicyOID());
      }
    }
  }
}
