// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import static io.outboard.spec.Scalar.DOUBLE;
import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;
import static io.outboard.testkit.ToyKinds.BUFFER;

import io.outboard.spec.Call;
import io.outboard.spec.Handle;
import io.outboard.spec.In;
import io.outboard.spec.InOut;
import io.outboard.spec.Out;
import io.outboard.spec.WrittenOn;

/** Structures. */
public interface ToyStructures {
  /** Sum of the members of a point that is passed by value. */
  @Call(50)
  int toyPointSum(@In(struct = ToyPoint.class, byValue = true) long point, @Out(DOUBLE) long sum);

  /** Doubles the abscissas of points. */
  @Call(51)
  int toyPoints(
      @In(struct = ToyPoint.class, count = "count") long from,
      @Out(struct = ToyPoint.class, count = "count") long to,
      int count);

  /** Adds 1 to the colour, the tags and the weights of a box. */
  @Call(52)
  int toyBox(@InOut(struct = ToyBox.class) long box);

  /** Describes a buffer. */
  @Call(53)
  int toyDescribe(@Out(struct = ToyObject.class) long object, @Handle(BUFFER) long buffer);

  /** Adds up the size of the buffer and the indices of the nodes. */
  @Call(54)
  int toyObjectSum(@In(struct = ToyObject.class) long object, @Out(LONG) long sum);

  /** Sum over the action's objects and numbers; steps its nodes on. */
  @Call(55)
  int toyAct(@InOut(struct = ToyAction.class) long action, @Out(LONG) long sum);

  /** Sum over a batch. */
  @Call(56)
  int toyBatch(@In(struct = ToyBatch.class) long batch, @Out(LONG) long sum);

  /** Sum over batches. */
  @Call(57)
  int toyBatches(
      @In(struct = ToyBatch.class, count = "count") long batches, int count, @Out(LONG) long sum);

  /** Adds 1 to both members. */
  @Call(58)
  int toyConfigure(@InOut(struct = ToyConfig.class) long config);

  /** Adds 1 to the members that the program's version has. */
  @Call(59)
  int toyVersioned(@InOut(struct = ToyVersion.class) long value);

  /** Writes 1, 2, 3, or how much room that takes. */
  @Call(60)
  @WrittenOn(ToyResult.TOO_LITTLE)
  int toyCountUp(@InOut(INT) long count, @Out(value = INT, count = "count") long numbers);
}
