// SPDX-License-Identifier: Apache-2.0
/** {@code outboard openstack}: the pool's GPUs in a cloud. */
package io.outboard.cli.openstack;
