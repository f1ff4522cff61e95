// SPDX-License-Identifier: Apache-2.0
/**
 * The profiling library (CUPTI) as a program sees it, and the few calls by which it gets from the
 * backend what the devices have done.
 */
package io.outboard.cupti;
