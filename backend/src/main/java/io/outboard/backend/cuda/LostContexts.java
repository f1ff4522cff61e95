// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.cuda;

import io.outboard.cuda.CudaResult;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;

/**
 * Why contexts are lost, by their handles. Each later call in such a context returns the reason
 * (CUDA Driver API, "CUresult"). The driver says so itself as far as it is asked; but objects that
 * could not be made any more, and a context that cannot be made current, are unknown to this side
 * first.
 */
final class LostContexts {
  private final IntPredicate lasts;
  private final Map<Long, Integer> reasons = new ConcurrentHashMap<>();

  /** {@code lasts} tells the results that a context is lost with. */
  LostContexts(IntPredicate lasts) {
    this.lasts = lasts;
  }

  /** Whether a context that returned this is lost. */
  boolean lasts(int result) {
    return lasts.test(result);
  }

  /** A context is lost; the first reason stays. */
  void lose(long context, int reason) {
    reasons.putIfAbsent(context, reason);
  }

  /** Returns what a call in a context, 0 for none, is to return where it came to this result. */
  int told(long context, int result) {
    if (result == CudaResult.SUCCESS || context == 0) {
      return result;
    }
    if (lasts.test(result)) {
      lose(context, result);
    }
    boolean ours = result == CudaResult.INVALID_HANDLE || result == CudaResult.INVALID_CONTEXT;
    return ours ? reasons.getOrDefault(context, result) : result;
  }

  /** A context has ended: those that are still lost say so again. */
  void forget() {
    reasons.clear();
  }
}
