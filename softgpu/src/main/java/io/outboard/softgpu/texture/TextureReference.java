// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.texture;

import io.outboard.softgpu.base.Handled;
import io.outboard.softgpu.device.Context;

/**
 * A texture reference, of a module or one that a program has made: what it reads and how, as the
 * program has set it. Kernels of the software GPU that would read through one are refused.
 */
public final class TextureReference extends Handled {
  /** Colours beyond an edge have so many numbers. */
  public static final int COLORS = 4;

  private static final int DIMENSIONS = 3;
  private static final int FLOATS = 0x20;
  private static final int CLAMP = 1;

  /** How it reads: the numbers of the vendor's enumerations. */
  public enum Setting {
    FORMAT(FLOATS),
    CHANNELS(1),
    FILTER(0),
    MIPMAP_FILTER(0),
    ANISOTROPY(0),
    FLAGS(0);

    private final int initial;

    Setting(int initial) {
      this.initial = initial;
    }
  }

  private final Context context;
  private final int[] settings = new int[Setting.values().length];
  private final int[] addressModes = {CLAMP, CLAMP, CLAMP};
  private final float[] colors = new float[COLORS];
  private float bias;
  private float least;
  private float most;
  private Handled array;
  private long address;

  public TextureReference(Context context) {
    this.context = context;
    for (Setting setting : Setting.values()) {
      set(setting, setting.initial);
    }
  }

  /** Ends its handle; false where it has ended. */
  public boolean end() {
    return context.disown(this);
  }

  @SuppressWarnings("EnumOrdinal") // an index of an array
  public synchronized void set(Setting setting, int value) {
    settings[setting.ordinal()] = value;
  }

  @SuppressWarnings("EnumOrdinal") // likewise
  public synchronized int get(Setting setting) {
    return settings[setting.ordinal()];
  }

  /** Whether it has so many dimensions, counted from 0. */
  public static boolean hasDimension(int dimension) {
    return dimension >= 0 && dimension < DIMENSIONS;
  }

  public synchronized void addressMode(int dimension, int mode) {
    addressModes[dimension] = mode;
  }

  public synchronized int addressMode(int dimension) {
    return addressModes[dimension];
  }

  public synchronized void color(int index, float value) {
    colors[index] = value;
  }

  public synchronized float color(int index) {
    return colors[index];
  }

  public synchronized void bias(float value) {
    bias = value;
  }

  public synchronized float bias() {
    return bias;
  }

  /** Sets the levels between which it reads. */
  public synchronized void clamp(float from, float to) {
    least = from;
    most = to;
  }

  public synchronized float least() {
    return least;
  }

  public synchronized float most() {
    return most;
  }

  /** Has it read an array, of one or several levels. */
  public synchronized void read(Handled from) {
    array = from;
    address = 0;
  }

  /** Has it read memory. */
  public synchronized void read(long from) {
    array = null;
    address = from;
  }

  /** The array that it reads, if it is one of this kind; else null. */
  public synchronized <T extends Handled> T array(Class<T> kind) {
    return kind.isInstance(array) ? kind.cast(array) : null;
  }

  /** The memory that it reads, or 0. */
  public synchronized long address() {
    return address;
  }
}
