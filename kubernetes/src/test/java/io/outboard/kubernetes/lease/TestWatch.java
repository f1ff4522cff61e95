// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.lease;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.outboard.office.LeaseOffice;
import java.time.Duration;
import java.time.InstantSource;

/** The watch of leases, for tests of other packages. */
public final class TestWatch {
  private static final Duration LIFE = Duration.ofMinutes(10);
  private static final Duration INTERVAL = Duration.ofSeconds(10);

  private TestWatch() {}

  /** One with the usual rules. */
  public static ClusterWatch of(KubernetesClient cluster, LeaseOffice office) {
    return new ClusterWatch(
        cluster,
        office,
        ClusterRules.usual(),
        new LeaseTerms(LIFE, Duration.ZERO),
        INTERVAL,
        InstantSource.system());
  }
}
