// SPDX-License-Identifier: Apache-2.0
/**
 * The back half: a daemon that listens and greets, and workers, one process a client, that run its
 * calls.
 */
package io.outboard.backend;
