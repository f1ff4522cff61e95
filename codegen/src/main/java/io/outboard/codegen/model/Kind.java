// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.model;

import io.outboard.spec.Holds;
import java.util.List;

/**
 * A kind of handle; see {@link io.outboard.spec.Kind}.
 *
 * @param id 1 to 63
 * @param name in lower case
 * @param type the C type
 * @param holds what its objects have of a device
 * @param invalid result for a wrong handle
 * @param garbage result for what is no handle at all
 * @param absent result for null, where that means nothing; 0 where it is allowed
 * @param other result for a handle of another kind
 * @param specials values that are never looked up
 * @param perThread what 0 stands for in a per-thread call, or 0
 * @param everywhere whether each host may have the object, under a value of its own
 * @param bounded whether a posted call about one is answered
 */
public record Kind(
    int id,
    String name,
    String type,
    Holds holds,
    int invalid,
    int garbage,
    int absent,
    int other,
    List<Long> specials,
    long perThread,
    boolean everywhere,
    boolean bounded) {}
