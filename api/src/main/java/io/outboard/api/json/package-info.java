// SPDX-License-Identifier: Apache-2.0
/**
 * JSON text, read with bounds and written in order. A schema checks a value. The same schema
 * describes it in the interface's document.
 */
package io.outboard.api.json;
