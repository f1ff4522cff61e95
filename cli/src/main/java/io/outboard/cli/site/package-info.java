// SPDX-License-Identifier: Apache-2.0
/**
 * Several pools of which a client may have leases: what each publishes of its offer, and which of
 * them is asked before others.
 */
package io.outboard.cli.site;
