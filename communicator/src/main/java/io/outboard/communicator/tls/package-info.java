// SPDX-License-Identifier: Apache-2.0

/** TLS 1.3: certificates and keys in files, both sides' settings, and what moves the bytes. */
package io.outboard.communicator.tls;
