// SPDX-License-Identifier: Apache-2.0
/**
 * The annotation processor of offloaded interfaces: it reads them, and writes a codec, a remote,
 * its twin that does not wait, a dispatcher and a chooser of each.
 */
package io.outboard.offload.processor;
