// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

/**
 * Where things are in a region of shared memory; offsets from its begin.
 *
 * <pre>
 *      0  u32 what the backend sleeps for
 *    128  u32 what the client sleeps for
 *    256  u64 bytes written to the backend      384  u64 of these, bytes read
 *    512  u64 bytes written to the client       640  u64 of these, bytes read
 *    768  u64 the mark, where the region lies in memory of a hypervisor
 *    896  u32 programs that use this machine's backend at the same time; 0 if that is not known
 *   4096  ring to the backend, ring to the client, slots, each with words and two
 *         rings as the region itself
 * </pre>
 *
 * <p>In memory of a hypervisor the words that the backend alone writes, 384 and 512, lie in a page
 * of their own, 4096 further, and so does all from the rings on. A guest that moves takes a copy of
 * the memory along, without the host's later changes of a page that the guest does not change: so
 * no position there promises bytes that are missing.
 *
 * <p>Each word has a cache line of its own, also where the processor fetches lines in pairs.
 */
public final class Region {
  /** Bytes before the first ring. */
  public static final int HEAD = 4096;

  /** So much further lies in memory of a hypervisor what the backend alone writes. */
  public static final int PLACED = 4096;

  /** Offset of the backend's word. */
  public static final int BACKEND_WAITS = 0;

  /** Offset of the client's word. */
  public static final int CLIENT_WAITS = 128;

  /** Offset of the positions of the ring to the backend. */
  public static final int TO_BACKEND = 256;

  /** Offset of the positions of the ring to the client. */
  public static final int TO_CLIENT = 512;

  /** Offset of the mark. */
  public static final int MARK = 768;

  /** Offset of the number of programs that are busy; the backend writes it. */
  public static final int PROGRAMS = 896;

  /** Of a ring's positions: bytes written. */
  public static final int WRITTEN = 0;

  /** Of a ring's positions: bytes read. */
  public static final int READ = 128;

  /** Bit of a side's word: it sleeps until there is something to read. */
  public static final int FOR_DATA = 1;

  /** Bit of a side's word: it sleeps until there is room to write. */
  public static final int FOR_ROOM = 2;

  /** Smallest ring, in bytes; a ring's length is a power of two. */
  public static final long LEAST_RING = 64 << 10;

  /** Largest ring and largest slot, in bytes. */
  public static final long MOST_RING = 64 << 20;

  /** Most slots. */
  public static final int MOST_SLOTS = 24;

  /** The slot whose rings carry functions of the client, and nothing else. */
  public static final int FUNCTIONS_SLOT = 16;

  /** The number by which {@link Frame#KIND_RING} asks for these; no ring of a thread has it. */
  public static final int FUNCTIONS = 256;

  /** Rings and slots begin at multiples of this. */
  public static final int PAGE = 4096;

  private Region() {}
}
