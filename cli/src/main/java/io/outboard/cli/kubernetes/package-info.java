// SPDX-License-Identifier: Apache-2.0
/** {@code outboard kubernetes}: the pool's GPUs in a cluster. */
package io.outboard.cli.kubernetes;
