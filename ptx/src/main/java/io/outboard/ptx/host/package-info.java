// SPDX-License-Identifier: Apache-2.0
/**
 * The words between a module and its caller. A launch names memory, textures and the host's
 * services; an error names its place. Everything here is a record, an exception or an interface
 * that the caller implements.
 */
package io.outboard.ptx.host;
