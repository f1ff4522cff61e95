// SPDX-License-Identifier: Apache-2.0
/**
 * OpenCL's structures, as records that name their members. The processor lays them out as C does. A
 * constant of a record is the offset of a member, in bytes.
 */
package io.outboard.opencl.struct;
