// SPDX-License-Identifier: Apache-2.0
/**
 * How much memory of each device a lease holds, counted next to the driver. Explicit allocations
 * are counted by the call, and what no call names by the image and by what the driver reports for
 * the process. The workers of a lease share a page with a row for each.
 */
package io.outboard.backend.quota;
