// SPDX-License-Identifier: Apache-2.0
/**
 * Offloaded code as the daemon sees it: whose code may run, where jars are, and the sessions that
 * run it. Nothing of it is there unless the operator names a file that says so.
 */
package io.outboard.backend.offload;
