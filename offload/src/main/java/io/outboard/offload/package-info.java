// SPDX-License-Identifier: Apache-2.0
/**
 * Java interfaces whose methods may run on a backend: how they are marked, and what a call of one
 * may end with.
 */
package io.outboard.offload;
