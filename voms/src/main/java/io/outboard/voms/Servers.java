// SPDX-License-Identifier: Apache-2.0
package io.outboard.voms;

import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.security.auth.x500.X500Principal;
import org.italiangrid.voms.VOMSError;
import org.italiangrid.voms.store.LSCInfo;
import org.italiangrid.voms.store.VOMSTrustStore;
import org.italiangrid.voms.store.VOMSTrustStoreStatusListener;
import org.italiangrid.voms.store.impl.DefaultVOMSTrustStore;

/**
 * The servers of virtual organisations, as {@code VO/HOST.lsc} names them. Certificates in that
 * folder are not looked at: the library would let each of them speak for every organisation.
 */
final class Servers implements VOMSTrustStore {
  private static final System.Logger LOG = System.getLogger(Servers.class.getName());
  private static final Duration GOOD = Duration.ofMinutes(10);

  private final Path folder;
  private final InstantSource clock;
  private DefaultVOMSTrustStore store;
  private Instant read;

  /**
   * Reads them.
   *
   * @throws IOException if there are none
   */
  Servers(Path folder, InstantSource clock) throws IOException {
    this.folder = folder;
    this.clock = clock;
    try {
      loadTrustInformation();
    } catch (VOMSError e) {
      throw new IOException("%s: %s".formatted(folder, e.getMessage()), e);
    }
  }

  @Override
  public synchronized void loadTrustInformation() {
    read = clock.instant();
    store = new DefaultVOMSTrustStore(List.of(folder.toString()));
  }

  private synchronized DefaultVOMSTrustStore current() {
    if (clock.instant().isAfter(read.plus(GOOD))) {
      try {
        loadTrustInformation();
      } catch (VOMSError e) {
        LOG.log(System.Logger.Level.WARNING, "those of before stay: " + e.getMessage());
      }
    }
    return store;
  }

  @Override
  public LSCInfo getLSC(String organisation, String host) {
    return current().getLSC(organisation, host);
  }

  @Override
  public Map<String, Set<LSCInfo>> getAllLSCInfo() {
    return current().getAllLSCInfo();
  }

  /** The files are a site's own, and a failure is said where it happens. */
  @Override
  public void setStatusListener(VOMSTrustStoreStatusListener listener) {}

  @Override
  public List<String> getLocalTrustedDirectories() {
    return List.of(folder.toString());
  }

  @Override
  public List<X509Certificate> getLocalAACertificates() {
    return List.of();
  }

  @Override
  public X509Certificate getAACertificateBySubject(X500Principal subject) {
    return null;
  }
}
