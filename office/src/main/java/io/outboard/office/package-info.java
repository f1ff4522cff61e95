// SPDX-License-Identifier: Apache-2.0
/** The lease office, asked over its HTTP interface alone. */
package io.outboard.office;
