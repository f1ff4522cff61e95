// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.grant;

/**
 * A virtual machine that begins, as Nova says.
 *
 * @param id UUID
 * @param project id of its project
 * @param name its host name
 */
public record Machine(String id, String project, String name) {}
