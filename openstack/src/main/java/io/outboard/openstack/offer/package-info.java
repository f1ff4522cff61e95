// SPDX-License-Identifier: Apache-2.0
/** What users find in the cloud: the pool in Placement, flavors, and user data for machines. */
package io.outboard.openstack.offer;
