// SPDX-License-Identifier: Apache-2.0
/** Figures and traces for collectors of OpenTelemetry. */
package io.outboard.api.telemetry;
