// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.pod;

/**
 * The things that pods are given.
 *
 * @param image with the client in {@code /opt/outboard}, and {@code cp}
 * @param byNodes whether GPUs in limits are a resource of nodes, whose plug-ins bring client and
 *     address; else a lease is all that such a pod takes
 */
public record PodSettings(String image, boolean byNodes) {}
