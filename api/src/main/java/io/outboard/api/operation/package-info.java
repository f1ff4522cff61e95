// SPDX-License-Identifier: Apache-2.0
/**
 * What can be asked: each operation says what it wants, what it answers and how it is done. The
 * router finds one by method and path. Its request is checked before it runs.
 */
package io.outboard.api.operation;
