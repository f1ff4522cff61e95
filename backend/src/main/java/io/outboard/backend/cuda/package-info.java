// SPDX-License-Identifier: Apache-2.0
/**
 * The backend's work around a CUDA driver: threads and their streams, mirrored variables, images
 * kept by content, shared descriptors. Each is a decorator of the driver or a service of the
 * session. Warm-ups use the same objects over a no-op driver.
 */
package io.outboard.backend.cuda;
