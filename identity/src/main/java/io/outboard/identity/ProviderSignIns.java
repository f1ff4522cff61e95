// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity;

import io.outboard.api.operation.SignIns;
import io.outboard.identity.oidc.CodeLogin;
import io.outboard.identity.oidc.Provider;
import io.outboard.identity.oidc.ProviderClient;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The providers of a file that know the console. */
public final class ProviderSignIns implements SignIns {
  private final Map<String, CodeLogin> logins = new LinkedHashMap<>();
  private final Map<String, String> scopes = new LinkedHashMap<>();

  /**
   * Makes it; no provider is asked before somebody signs in.
   *
   * @throws IOException if the authorities of a provider cannot be read
   */
  public ProviderSignIns(IdentityFile file) throws IOException {
    for (Provider provider : file.providers()) {
      if (provider.console().isPresent()) {
        ProviderClient http = new ProviderClient(provider.authorities());
        logins.put(provider.name(), new CodeLogin(provider, provider.console().get(), http));
        scopes.put(provider.name(), provider.scope());
      }
    }
  }

  @Override
  public List<String> names() {
    return List.copyOf(logins.keySet());
  }

  @Override
  public Entrance entrance(String name) throws IOException {
    CodeLogin login = login(name);
    return new Entrance(login.page(), login.client(), scopes.get(name));
  }

  @Override
  public String token(String name, Code code) throws IOException {
    return login(name).token(code.code(), code.verifier(), code.back());
  }

  private CodeLogin login(String name) {
    if (!logins.containsKey(name)) {
      throw new IllegalArgumentException("there is no provider '" + name + "'");
    }
    return logins.get(name);
  }
}
