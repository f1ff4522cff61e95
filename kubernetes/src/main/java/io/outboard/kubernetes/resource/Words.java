// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.resource;

/** The names that objects of a cluster know. */
public final class Words {
  public static final String GROUP = "outboard.io";
  public static final String VERSION = "v1alpha1";

  /** The resource in the limits of a container: remote GPUs. */
  public static final String RESOURCE = GROUP + "/gpu";

  /** The annotation of a pod that asks for GPUs: how many. */
  public static final String GPUS = GROUP + "/gpus";

  /** The annotation that says of which model. */
  public static final String MODEL = GROUP + "/model";

  /** The annotation that says how much memory of each. */
  public static final String MEMORY = GROUP + "/memory";

  /** The annotation that says how much of the time of each. */
  public static final String SHARE = GROUP + "/share";

  /** The label of a pod that has the name of its lease. */
  public static final String LEASE = GROUP + "/lease";

  /** The finalizer, without which a lease would go on when its resource is deleted. */
  public static final String FINALIZER = GROUP + "/release";

  private Words() {}

  /** The secret with the credentials of a lease. */
  public static String secret(String lease) {
    return lease + "." + GROUP;
  }
}
