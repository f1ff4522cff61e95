// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.resource;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Optional;

/** A lease of GPUs, as people and pods of a cluster ask for it ({@code crd.yaml}). */
@JsonIgnoreProperties(ignoreUnknown = true)
@Group(Words.GROUP)
@Version(Words.VERSION)
@Singular("gpulease")
@Plural("gpuleases")
public final class GpuLease extends CustomResource<GpuLeaseSpec, GpuLeaseStatus>
    implements Namespaced {
  private static final long serialVersionUID = 1L;

  @Override
  protected GpuLeaseSpec initSpec() {
    return GpuLeaseSpec.NONE;
  }

  @Override
  protected GpuLeaseStatus initStatus() {
    return GpuLeaseStatus.NONE;
  }

  /** The status that the adapter has written last. */
  public GpuLeaseStatus told() {
    return Optional.ofNullable(getStatus()).orElse(GpuLeaseStatus.NONE);
  }

  /** Its unique name in the cluster, which no later one gets again. */
  public String uid() {
    return getMetadata().getUid();
  }

  /** Name and namespace, for people. */
  public String label() {
    return getMetadata().getNamespace() + "/" + getMetadata().getName();
  }

  @JsonIgnore
  public boolean isDeleted() {
    return getMetadata().getDeletionTimestamp() != null;
  }

  /** The secret that has its credentials. */
  public String secret() {
    return Words.secret(getMetadata().getName());
  }
}
