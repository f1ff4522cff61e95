// SPDX-License-Identifier: Apache-2.0
/**
 * A record of changes and refusals. Three books keep what operators did, what others did and
 * refusals apart. A book is a bounded file beside older ones.
 */
package io.outboard.api.audit;
