// SPDX-License-Identifier: Apache-2.0
/** Identities: signing in and out at a provider, and what the rules of a file give. */
package io.outboard.cli.identity;
