// SPDX-License-Identifier: Apache-2.0
/** The device plug-in of a node: remote GPUs as a resource that the kubelet counts. */
package io.outboard.kubernetes.plugin;
