// SPDX-License-Identifier: Apache-2.0
/**
 * Values as bytes. Generated codecs write and read them; no class is named in them, and no length
 * is believed before it is checked.
 */
package io.outboard.offload.value;
