// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.resource;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;

/**
 * The GPUs that somebody asks for. The schema of the resource bounds each value.
 *
 * @param gpus how many
 * @param model a word of the GPUs' name, as {@code h200}; null for any
 * @param memory of each, as Kubernetes writes quantities; null for as much as the share gives
 * @param share of each one's time, above 0 and at most 1; null for all
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record GpuLeaseSpec(int gpus, String model, String memory, BigDecimal share) {
  static final GpuLeaseSpec NONE = new GpuLeaseSpec(0, null, null, null);
}
