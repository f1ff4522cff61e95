// SPDX-License-Identifier: Apache-2.0
/**
 * The HTTP interface: leases, devices, sessions, the ledger, tokens and tenants as JSON. The server
 * lets connections in, takes each request through one pipeline, and answers. Requests and the
 * document (OpenAPI 3.1) come from the same {@link io.outboard.api.operation.Operation}s.
 */
package io.outboard.api;
