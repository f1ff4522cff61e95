// SPDX-License-Identifier: Apache-2.0
/** Identities: the file of providers and rules, and people as the HTTP interface lets them in. */
package io.outboard.identity;
