// SPDX-License-Identifier: Apache-2.0
/** Sums of the ledger over time, and how they are drawn. */
package io.outboard.api.usage;
