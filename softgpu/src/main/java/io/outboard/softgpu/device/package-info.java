// SPDX-License-Identifier: Apache-2.0
/**
 * The machine that all calls share: devices, their contexts, and the streams that do their work in
 * order. An operation is one piece of work; packages above say which there are. A context that ends
 * tells those who keep something for it.
 */
package io.outboard.softgpu.device;
