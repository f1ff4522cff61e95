// SPDX-License-Identifier: Apache-2.0
/**
 * TLS 1.3 over TCP. A relay moves the bytes between the encrypted connection and a plain socket. A
 * worker needs to know nothing of the encryption.
 */
package io.outboard.communicator.tls;
