// SPDX-License-Identifier: Apache-2.0
/**
 * Tables of results in Markdown. A figure is beside its target and beside its native value. A text
 * that differs from the native one is marked.
 */
package io.outboard.bench.gpu.table;
