// SPDX-License-Identifier: Apache-2.0
/**
 * The HTTP interface: leases, devices, sessions, the ledger, tokens and tenants as JSON, and what
 * monitoring and information systems read. {@link io.outboard.api.Operation}s say what there is; of
 * them the server answers, and the document (OpenAPI 3.1) is made, so that the two are the same.
 */
package io.outboard.api;
