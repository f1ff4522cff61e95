// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code serve} and its options, and the backend that a launcher starts for one
 * program. Certificates are made here too. Options are checked before anything listens.
 */
package io.outboard.cli.serve;
