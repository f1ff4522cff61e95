// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.library;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The part of a backend's devices that a session gets.
 *
 * @param gpus the devices, in the order in which the session sees them; empty for all of them
 * @param page the descriptor of the {@code QuotaPage}, {@link #NONE} where memory has no limit
 * @param slot the session's place in that page
 * @param events the descriptor of the {@code EventCount} of the keeper of time slices ({@code
 *     SliceKeeper}), {@link #NONE} where the devices are the lease's alone
 * @param percent how much of a device's multiprocessors the session may use at a time, as MPS sees
 *     to; {@link #WHOLE} where it does not
 */
public record Allotment(List<Gpu> gpus, int page, int slot, int events, int percent) {
  /** All of them. */
  public static final int WHOLE = 100;

  /** No page. */
  public static final int NONE = -1;

  /** All devices, without a limit. */
  public static final Allotment EVERYTHING = new Allotment(List.of(), NONE, 0);

  private static final String BETWEEN = ",";
  private static final String WITHIN = "=";

  /**
   * A device.
   *
   * @param number the backend's, from 0
   * @param uuid as the vendor writes it: {@code GPU-…}
   */
  public record Gpu(int number, String uuid) {}

  /** Copies the list. */
  public Allotment {
    gpus = List.copyOf(gpus);
  }

  /** One whose devices nobody shares. */
  public Allotment(List<Gpu> gpus, int page, int slot) {
    this(gpus, page, slot, NONE, WHOLE);
  }

  /** The same with the descriptors of its page and its events, as far as there are any. */
  public Allotment with(List<Integer> descriptors) {
    int mine = descriptors.isEmpty() ? NONE : descriptors.getFirst();
    int shared = descriptors.size() < 2 ? NONE : descriptors.get(1);
    return new Allotment(gpus, mine, slot, shared, percent);
  }

  /** Whether these are all devices. */
  public boolean isEverything() {
    return gpus.isEmpty();
  }

  /** Whether memory has a limit. */
  public boolean isLimited() {
    return page != NONE;
  }

  /** Whether others may have the devices too, so that they are used in time slices. */
  public boolean isShared() {
    return isLimited() && events != NONE;
  }

  /** The devices, as {@link #gpus(String)} reads them. */
  public String gpusAsText() {
    return gpus.stream()
        .map(gpu -> gpu.number() + WITHIN + gpu.uuid())
        .collect(Collectors.joining(BETWEEN));
  }

  /** Reads the devices. */
  public static List<Gpu> gpus(String text) {
    return text.isEmpty()
        ? List.of()
        : Arrays.stream(text.split(BETWEEN)).map(Allotment::gpu).toList();
  }

  private static Gpu gpu(String text) {
    String[] parts = text.split(WITHIN, 2);
    return new Gpu(Integer.parseInt(parts[0]), parts[1]);
  }
}
