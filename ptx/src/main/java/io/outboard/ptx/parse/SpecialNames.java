// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.parse;

import java.util.Set;
import java.util.regex.Pattern;

/** The special registers (PTX ISA 9.0, "Special Registers"), implemented or not. */
final class SpecialNames {
  private static final Set<String> NAMES =
      Set.of(
          "tid.x",
          "tid.y",
          "tid.z",
          "ntid.x",
          "ntid.y",
          "ntid.z",
          "ctaid.x",
          "ctaid.y",
          "ctaid.z",
          "nctaid.x",
          "nctaid.y",
          "nctaid.z",
          "laneid",
          "warpid",
          "nwarpid",
          "smid",
          "nsmid",
          "gridid",
          "lanemask_eq",
          "lanemask_lt",
          "lanemask_le",
          "lanemask_gt",
          "lanemask_ge",
          "clock",
          "clock_hi",
          "clock64",
          "globaltimer",
          "globaltimer_lo",
          "globaltimer_hi",
          "dynamic_smem_size",
          "total_smem_size",
          "envreg0",
          "envreg1",
          "envreg2",
          "envreg3",
          "is_explicit_cluster",
          "clusterid.x",
          "clusterid.y",
          "clusterid.z",
          "nclusterid.x",
          "nclusterid.y",
          "nclusterid.z",
          "cluster_ctaid.x",
          "cluster_ctaid.y",
          "cluster_ctaid.z",
          "cluster_nctaid.x",
          "cluster_nctaid.y",
          "cluster_nctaid.z",
          "cluster_ctarank",
          "cluster_nctarank");

  private SpecialNames() {}

  /** Those that are not implemented, which are many of a kind. */
  private static final Pattern OTHERS =
      Pattern.compile(
          "pm[0-7](_64)?|envreg([4-9]|[12][0-9]|3[01])|reserved_smem_offset_(begin|end|cap|[01])"
              + "|aggr_smem_size|current_graph_exec");

  static boolean known(String name) {
    return NAMES.contains(name) || OTHERS.matcher(name).matches();
  }
}
