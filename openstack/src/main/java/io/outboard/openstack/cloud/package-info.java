// SPDX-License-Identifier: Apache-2.0
/** The services of OpenStack that are asked: Keystone, Placement and Nova. */
package io.outboard.openstack.cloud;
