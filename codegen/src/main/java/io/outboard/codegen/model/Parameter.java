// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.model;

import io.outboard.spec.Scalar;
import java.util.List;
import java.util.Optional;

/** A parameter of a function, by its role on the wire. */
public sealed interface Parameter {
  /** Name. */
  String name();

  /** The type in Java. */
  default Scalar type() {
    return Scalar.LONG;
  }

  /** Whether it is, or leads to, the number of a device. */
  default boolean hasOrdinals() {
    return false;
  }

  /**
   * A scalar, an address in device memory or a handle.
   *
   * @param address whether it is an address in device memory
   * @param found whether the vendor's function has no such parameter
   * @param pairs the list whose length it is, or empty
   * @param values the parameter that says how many values there are, which this is, or empty
   * @param offset by which name the library is asked for the buffer that it is an offset into, or 0
   * @param ordinal whether it is the number of a device
   */
  record Value(
      String name,
      Scalar type,
      boolean address,
      HandleUse handle,
      boolean found,
      String pairs,
      String values,
      int offset,
      boolean ordinal)
      implements Parameter {
    @Override
    public boolean hasOrdinals() {
      return ordinal;
    }
  }

  /**
   * The address of data.
   *
   * @param bit of the presence mask
   * @param count number of elements; empty if there is one, which travels in the fixed part
   * @param address whether the elements are addresses in device memory
   * @param advancing parameters that move on with the chunks of a large transfer
   * @param byValue whether the C function takes the structure itself
   * @param returned whether the C function returns it
   * @param ordinal whether the elements are numbers of devices
   * @param within the output whose elements the one that is written here counts, or empty
   * @param optional whether null means something although there is a length
   */
  record Pointer(
      String name,
      int bit,
      Direction direction,
      Target target,
      Optional<Expression> count,
      HandleUse handle,
      boolean address,
      List<String> advancing,
      boolean byValue,
      boolean returned,
      boolean ordinal,
      String within,
      boolean optional)
      implements Parameter {

    /**
     * Whether a function of our own cannot do without it: all that is written but new handles,
     * which a client may not want to know, and bytes and numbers that are read; nothing that is
     * optional.
     */
    public boolean wanted() {
      boolean plain = count.isPresent() && structure().isEmpty() && !handle.present();
      return !optional && (direction.writes() ? !handle.creates() : plain);
    }

    /** Whether the data is read and has a place in the fixed part of the request. */
    public boolean inFixedRequest() {
      return direction.reads() && single();
    }

    /** Whether the data is read and is a variable part of the request. */
    public boolean inVariableRequest() {
      return direction.reads() && !single();
    }

    /** Whether the data is written and has a place in the fixed part of the reply. */
    public boolean inFixedReply() {
      return direction.writes() && single() && !handle.creates();
    }

    /** Whether the data is written and is a variable part of the reply. */
    public boolean inVariableReply() {
      return direction.writes() && !single();
    }

    /** Whether there is exactly one element. */
    public boolean single() {
      return count.isEmpty() && !text();
    }

    /** Whether the data is a text. */
    public boolean text() {
      return target instanceof Target.Text;
    }

    @Override
    public boolean hasOrdinals() {
      return ordinal || structure().filter(Structure::hasOrdinals).isPresent();
    }

    /** Whether the data is a structure that says how large it is. */
    public boolean sized() {
      return structure().filter(Structure::sized).isPresent();
    }

    /** The structure behind the pointer, if it is one. */
    public Optional<Structure> structure() {
      return target instanceof Target.Structures(Structure structure)
          ? Optional.of(structure)
          : Optional.empty();
    }
  }

  /**
   * A function of the client.
   *
   * @param userData the parameter that is handed back to it
   * @param position of that among its arguments
   */
  record Callback(String name, String userData, boolean repeated, int position)
      implements Parameter {}

  /** A value for a function of the client; it does not travel. */
  record UserData(String name) implements Parameter {}
}
