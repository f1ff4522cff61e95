// SPDX-License-Identifier: Apache-2.0
/** {@code outboard offload}: workers of offloaded methods. */
package io.outboard.cli.offload;
