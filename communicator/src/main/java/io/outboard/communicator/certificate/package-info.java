// SPDX-License-Identifier: Apache-2.0
/**
 * Certificates and keys in files. They are read, made and trusted here. A pin trusts exactly one
 * certificate, by its fingerprint.
 */
package io.outboard.communicator.certificate;
