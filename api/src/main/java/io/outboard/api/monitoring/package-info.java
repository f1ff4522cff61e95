// SPDX-License-Identifier: Apache-2.0
/**
 * A node as monitoring and information systems read it: figures for Prometheus, GLUE entities and
 * APEL records. Labels have no more values than there are devices and states. The node is described
 * by one value.
 */
package io.outboard.api.monitoring;
