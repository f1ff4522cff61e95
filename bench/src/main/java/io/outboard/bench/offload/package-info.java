// SPDX-License-Identifier: Apache-2.0
/** Calls of offloaded methods, beside plain calls and the link. */
package io.outboard.bench.offload;
