// SPDX-License-Identifier: Apache-2.0
/**
 * The devices of several hosts in one session: each call goes to the driver of the host that it
 * concerns.
 */
package io.outboard.backend.route;
