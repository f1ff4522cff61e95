// SPDX-License-Identifier: Apache-2.0
/**
 * Proxies of grids (RFC 3820) with attributes of VOMS: tokens that their holders sign, and whom
 * those are of.
 */
package io.outboard.identity.proxy;
