// SPDX-License-Identifier: Apache-2.0
/**
 * The commands of tenants, tokens and usage. They ask the daemon as an operator. Usage is also
 * exported as accounting records of APEL.
 */
package io.outboard.cli.account;
