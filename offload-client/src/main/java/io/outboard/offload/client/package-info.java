// SPDX-License-Identifier: Apache-2.0
/**
 * Calls methods of offloaded interfaces on a backend, over TCP or TLS: with the JDK alone, of Java
 * 17 or newer.
 */
package io.outboard.offload.client;
