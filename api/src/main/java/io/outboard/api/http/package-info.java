// SPDX-License-Identifier: Apache-2.0
/**
 * Requests of HTTP/1.1 and what is answered. Each part is read up to a bound. Connections and
 * requests of one address are limited too.
 */
package io.outboard.api.http;
