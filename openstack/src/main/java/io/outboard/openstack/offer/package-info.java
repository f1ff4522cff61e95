// SPDX-License-Identifier: Apache-2.0
/**
 * The things that users find in the cloud: the pool in Placement, flavors, and user data for
 * machines.
 */
package io.outboard.openstack.offer;
