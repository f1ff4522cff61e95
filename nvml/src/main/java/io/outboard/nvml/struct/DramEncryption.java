// SPDX-License-Identifier: Apache-2.0
package io.outboard.nvml.struct;

import io.outboard.spec.Struct;

/**
 * Encryption of memory.
 *
 * @param version size and version
 * @param state whether it is on
 */
@Struct(value = "nvmlDramEncryptionInfo_v1_t", sized = true)
public record DramEncryption(int version, int state) {}
