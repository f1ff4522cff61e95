// SPDX-License-Identifier: Apache-2.0
/**
 * Proxies of grids (RFC 3820) and their attributes, by the libraries of EMI and VOMS. The command
 * finds it beside its class path, and has it where a file names a grid.
 */
package io.outboard.voms;
