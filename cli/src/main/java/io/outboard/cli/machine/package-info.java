// SPDX-License-Identifier: Apache-2.0
/** Virtual machines that run a service with a lease. */
package io.outboard.cli.machine;
