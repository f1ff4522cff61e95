// SPDX-License-Identifier: Apache-2.0
/**
 * Backends and brokers of the local network, by DNS-SD (RFC 6763) over multicast DNS (RFC 6762):
 * how one announces itself, if its operator wants that, and how a client finds it. Nothing that is
 * found is trusted for it.
 */
package io.outboard.cli.discover;
