// SPDX-License-Identifier: Apache-2.0
package io.outboard.desk;

import io.outboard.spec.Alike;
import io.outboard.spec.Async;
import io.outboard.spec.Cached;
import io.outboard.spec.Call;
import io.outboard.spec.Callback;
import io.outboard.spec.Complete;
import io.outboard.spec.Copy;
import io.outboard.spec.Custom;
import io.outboard.spec.DevicePointer;
import io.outboard.spec.DeviceWork;
import io.outboard.spec.Fill;
import io.outboard.spec.Found;
import io.outboard.spec.Handle;
import io.outboard.spec.In;
import io.outboard.spec.InOut;
import io.outboard.spec.Invalidates;
import io.outboard.spec.Holds;
import io.outboard.spec.Kind;
import io.outboard.spec.Known;
import io.outboard.spec.Learns;
import io.outboard.spec.Library;
import io.outboard.spec.Local;
import io.outboard.spec.Marks;
import io.outboard.spec.Narrow;
import io.outboard.spec.Need;
import io.outboard.spec.NotesLane;
import io.outboard.spec.OrderedBy;
import io.outboard.spec.Ordinal;
import io.outboard.spec.Out;
import io.outboard.spec.Own;
import io.outboard.spec.Query;
import io.outboard.spec.Range;
import io.outboard.spec.Ready;
import io.outboard.spec.Refused;
import io.outboard.spec.Resource;
import io.outboard.spec.Results;
import io.outboard.spec.Returned;
import io.outboard.spec.Same;
import io.outboard.spec.Scalar;
import io.outboard.spec.Size;
import io.outboard.spec.Struct;
import io.outboard.spec.Takes;
import io.outboard.spec.Variants;
import io.outboard.spec.Work;

/**
 * A library whose handles are objects of the program, and whose functions return what they make.
 */
@Library(
    name = "desk",
    id = 1001,
    soname = "libdesk.so.1",
    versionNodes = "DESK_",
    objects = true,
    kinds = {
      @Kind(id = 50, name = "desk", type = "desk_t", holds = Holds.NOTHING, invalid = -1, specials = 0),
      @Kind(id = 51, name = "sheet", type = "sheet_t", holds = Holds.NOTHING, invalid = -2)
    },
    results =
        @Results(
            invalidValue = -3,
            notSupported = -4,
            notInitialized = -5,
            unavailable = -6,
            outOfMemory = -7))
public interface Desk {
  /** The desks that there are. */
  @Call(1)
  int deskList(int room, @Out(value = Scalar.LONG, count = "room") @Handle(50) long desks);

  /** Puts a sheet on a desk. */
  @Call(2)
  int deskPut(
      @Handle(50) @OrderedBy long desk,
      int number,
      @Out(Scalar.LONG) @Handle(value = 51, life = Handle.Life.CREATE) @NotesLane @Returned
          long sheet);

  /** Writes on a sheet, once others have been written on. */
  @Call(3)
  @Async
  @DeviceWork(value = Work.COMPUTE, in = "sheet")
  int deskWrite(
      @Handle(51) long sheet,
      int count,
      @In(value = Scalar.LONG, count = "count") @Handle(value = 51, invalid = -9) long others,
      @Out(Scalar.LONG) @Handle(value = 51, life = Handle.Life.CREATE) long copy);

  /** Takes a sheet away. */
  @Call(4)
  @Async
  int deskTake(@Handle(value = 51, life = Handle.Life.DESTROY) long sheet);

  /** Has a function of the program called with a sheet, a number and its data. */
  @Call(5)
  int deskTell(
      @Handle(51) long sheet, @Callback(userData = "data", position = 2) long notify, long data);

  /** Sorts by a list that ends with 0. */
  @Call(6)
  @Custom("the length is found by hand")
  int deskSort(
      @Handle(50) long desk,
      @In(value = Scalar.LONG, count = "count") long order,
      @Found int count,
      @Out(Scalar.LONG) @Handle(value = 51, life = Handle.Life.CREATE) @Returned long first);

  /** The desk of a sheet. */
  @Call(7)
  @DeviceWork(Work.WAIT)
  int deskOf(@Handle(51) long sheet, @Out(Scalar.LONG) @Handle(50) long desk);

  /** Folds a sheet: an extension's function, of which each vendor has one of its own. */
  @Call(8)
  int deskFold(
      @Handle(51) long sheet,
      int times,
      @Out(Scalar.LONG) @Handle(value = 51, life = Handle.Life.CREATE) @Returned long folded);

  /** Puts sheets on each other. */
  @Call(9)
  @Custom(value = "the vendor is found by hand", frontend = false, binding = true)
  int deskPile(
      int count,
      @In(value = Scalar.LONG, count = "count") @Handle(51) long sheets,
      @Out(Scalar.LONG) @Handle(value = 51, life = Handle.Life.CREATE) long pile);

  /** Takes a corner of a sheet. */
  @Call(10)
  @DeviceWork(Work.COMPUTE)
  int deskCorner(@Handle(51) long sheet, int which);

  /** Reads what is on a sheet. */
  @Call(11)
  @DeviceWork(Work.COPY)
  int deskRead(
      @Handle(51) long sheet,
      @Out(bytes = "length", advancing = "from") long text,
      long from,
      long length);

  /** Pins a sheet once more. */
  @Local
  default int deskPin(@Handle(value = 51, life = Handle.Life.RETAIN) long sheet) {
    return -4;
  }

  /** Takes a pin out; a sheet without pins falls. */
  @Call(12)
  @Async
  int deskUnpin(@Handle(value = 51, life = Handle.Life.RELEASE) long sheet);

  /** Moves a sheet from one room to another, and says in which one it was before. */
  @Call(33)
  int deskMove(
      @Handle(51) long sheet,
      @Ordinal int room,
      @In(struct = Place.class) long from,
      @Out(Scalar.INT) @Ordinal long before,
      @InOut(struct = Place.class) long last);

  /** Says which rooms may see a sheet. */
  @Call(34)
  int deskShow(
      @Handle(51) long sheet, @In(struct = Places.class, count = "count") long places, int count);

  /** Finds room for drawers. */
  @Call(35)
  @Takes(value = Resource.MEMORY, bytes = "8 * height", of = "sheet", at = "drawer")
  @Ready(Need.CURRENT_CONTEXT)
  int deskStore(
      @Out(Scalar.LONG)
          @DevicePointer
          @Range(
              value = Range.Use.RESERVE,
              bytes = "depth * height",
              undo = "deskClear",
              in = "sheet")
          long drawer,
      @Out(Scalar.LONG) long depth,
      long height,
      @Handle(51) long sheet);

  /** Clears a drawer. */
  @Call(36)
  @Takes(value = Resource.MEMORY, ends = "drawer")
  @Async
  @Ready(Need.CURRENT_CONTEXT)
  int deskClear(@DevicePointer @Range(Range.Use.RELEASE) long drawer, @Handle(51) long sheet);

  /** Fills a drawer with paper, now. */
  @Call(37)
  @Async
  @Fill
  @Variants(value = "deskFill_ptds", inStream = "deskFillLater")
  int deskFill(@DevicePointer long drawer, short paper, long count);

  /** Fills a drawer with paper once a sheet has been written. */
  @Call(38)
  @Async
  @Fill
  int deskFillLater(@DevicePointer long drawer, short paper, long count, @Handle(51) long sheet);

  /** Copies what is in a drawer. */
  @Call(39)
  @Ready(Need.CURRENT_CONTEXT)
  @Copy
  int deskTakeOut(
      @Out(bytes = "bytes", advancing = "drawer") long paper,
      @DevicePointer long drawer,
      long bytes);

  /** Copies to a drawer once a sheet has been written. */
  @Call(40)
  @Async
  @Ready(Need.CURRENT_CONTEXT)
  @Copy
  int deskPutIn(
      @DevicePointer long drawer,
      @In(bytes = "bytes", advancing = "drawer") long paper,
      long bytes,
      @Handle(51) long sheet);

  /** How thick a sheet is in a room. */
  @Call(41)
  @Cached(until = "sheet")
  int deskThickness(
      @Out(Scalar.INT) long thickness, @Handle(51) long sheet, short which, @Ordinal int room);

  /** Wets a sheet. */
  @Call(42)
  @Invalidates("sheet")
  int deskWet(@Handle(51) long sheet);

  /** Clips sheets together, by a list of pairs that ends with 0. */
  @Call(43)
  int deskClip(
      @Handle(51) long sheet,
      @Handle(51) @Own long other,
      @Handle(50) @Known(0x51) long desk,
      @In(value = Scalar.LONG, count = "count") @Known(0x52) long how,
      @Found(pairs = "how", once = true) int count,
      @Out(Scalar.LONG) @Handle(value = 51, life = Handle.Life.CREATE) @Returned long made);

  /** A query about a sheet. */
  @Call(44)
  @Query(owners = 0x60, context = 0x61, parent = 0x62, late = 0x64, varies = 0x63, ends = 0x65, own = 0x66)
  int deskAsk(
      @Handle(51) long sheet,
      int name,
      long size,
      @Out(bytes = "size") long value,
      @Out(Scalar.LONG) long sizeRet);

  /** Writes a figure of a sheet. */
  @Call(45)
  @Async
  int deskWeigh(
      @Handle(51) @NotesLane long sheet,
      int what,
      @In(Scalar.LONG) @Narrow(by = "what", upTo = 3) long figure);

  /** Reads a figure of a sheet. */
  @Call(46)
  int deskWeight(
      @Handle(51) long sheet,
      int what,
      @Out(Scalar.LONG) @Narrow(by = "what", upTo = 3) long figure);

  /** Waits until nobody writes on a sheet. */
  @Call(47)
  @Learns
  int deskRest(@Handle(51) long sheet);

  /** Seals a sheet with a stamp. */
  @Call(48)
  @Marks(0xF0000001)
  int deskSeal(@Handle(51) long sheet, @Handle(50) @Complete long stamp);

  /** Makes a sheet like another one. */
  @Call(49)
  @Alike
  int deskTrace(
      @Handle(51) long sheet,
      @Out(Scalar.LONG) @Handle(value = 51, life = Handle.Life.CREATE) @Returned long made);

  /** How many sheets are on all desks. */
  @Local
  default int deskCount(@Out(Scalar.INT) long count) {
    return -4;
  }

  /** A place: in a room, or elsewhere. */
  @Struct("desk_place")
  record Place(int kind, @Ordinal(tag = "kind", is = 1) int room) {}

  /** Places and the rooms beside them. */
  @Struct("desk_places")
  record Places(@Size(2) Place[] both, Place one, @Size(2) @Ordinal int[] beside) {}

  /** A sheet of somebody else's. */
  @Refused
  default int deskBorrow(
      @Handle(50) long desk,
      @Out(Scalar.LONG) @Handle(value = 51, life = Handle.Life.CREATE) @Returned long sheet) {
    return -4;
  }

  /** Cuts a box out of a desk. */
  @Call(13)
  @Variants("deskCut_v2_ptsz")
  int deskCut_v2(
      @Out(Scalar.LONG) @DevicePointer long place,
      @Out(Scalar.LONG) long bytes,
      @In(struct = Box.class) long box,
      @Out(struct = Box.class) long left,
      @Handle(50) long desk);

  /** Gives back what was cut out. */
  @Call(14)
  int deskMend(@DevicePointer long place);

  /** As {@link #deskCut_v2}, of 32 bits. */
  @Same(as = "deskCut_v2", undo = "deskMend")
  @Variants("deskCut_ptsz")
  default int deskCut(
      @Out(Scalar.INT) long place,
      @Out(Scalar.INT) long bytes,
      @In(struct = SmallBox.class) long box,
      @Out(struct = SmallBox.class) long left,
      @Handle(50) long desk) {
    return -4;
  }

  /** As {@link #deskMend}, of 32 bits. */
  @Same(as = "deskMend")
  default int deskMendOld(int place) {
    return -4;
  }

  /** As {@link #deskCorner}, of the first corner. */
  @Same(
      as = "deskCorner",
      with = {"sheet", "0"})
  default int deskFirstCorner(@Handle(51) long sheet) {
    return -4;
  }

  /** A box. */
  @Struct
  record Box(long width, int format, @Handle(50) long desk) {}

  /** A box of 32 bits. */
  @Struct
  record SmallBox(int width, int format, @Handle(50) long desk) {}
}
