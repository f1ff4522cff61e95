// SPDX-License-Identifier: Apache-2.0
/**
 * The operations of the interface. Each names its parameters, its answer and its work. The router
 * finds one by method and path. Its request is checked before it runs.
 */
package io.outboard.api.operation;
