// SPDX-License-Identifier: Apache-2.0
/**
 * Carries bytes between frontends and workers: descriptors of the operating system through the
 * foreign function API, endpoints, communicators, and the greeting before the first frame.
 */
package io.outboard.communicator;
