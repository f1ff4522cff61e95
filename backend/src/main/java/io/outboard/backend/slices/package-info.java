// SPDX-License-Identifier: Apache-2.0
/**
 * Time slices of devices that leases share. The daemon says whose slice it is, and a decorator in
 * each worker keeps computing calls waiting until then. Both sleep on words of shared memory.
 */
package io.outboard.backend.slices;
