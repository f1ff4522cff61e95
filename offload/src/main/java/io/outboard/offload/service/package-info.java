// SPDX-License-Identifier: Apache-2.0
/** An offloaded interface as a backend sees it: found by name in a jar, and called by number. */
package io.outboard.offload.service;
