// SPDX-License-Identifier: Apache-2.0
/** The management library as a session sees it: only the lease's devices, and only questions. */
package io.outboard.backend.nvml;
