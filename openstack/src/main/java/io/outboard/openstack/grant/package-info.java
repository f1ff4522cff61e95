// SPDX-License-Identifier: Apache-2.0
/** Leases of virtual machines: made when a machine begins, ended when it has ended. */
package io.outboard.openstack.grant;
