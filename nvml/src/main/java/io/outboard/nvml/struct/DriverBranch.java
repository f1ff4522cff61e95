// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Size;
import io.outboard.spec.Struct;

/**
 * The branch of a driver.
 *
 * @param version size and version
 * @param branch text, ended by NUL
 */
@Struct(value = "nvmlSystemDriverBranchInfo_v1_t", sized = true)
public record DriverBranch(int version, @Size(80) byte[] branch) {}
