// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Wrong interfaces: every mistake is reported at once, at its line. */
class ErrorsTest {
  private static final String HEAD =
      """
      package p;
      import static io.outboard.spec.Scalar.*;
      import io.outboard.spec.*;
      import io.outboard.spec.Handle.Life;
      @Library(name = "bad", id = 7, soname = "libbad.so", kinds = @Kind(id = 1, name = "thing", type = "Thing", holds = Holds.NOTHING, invalid = 9),
          results = @Results(invalidValue = 1, notSupported = 2, notInitialized = 3, unavailable = 4, outOfMemory = 5))
      interface Bad {
      """;
  private static final int HEAD_LINES = 7;

  @TempDir private Path output;

  /**
   * Compiles an interface whose lines are the body; {@code //! TEXT} at the end of a line is an
   * error that is expected there, several are separated by {@code ;;}.
   */
  private void check(String body, String after) {
    List<String> expected = new ArrayList<>();
    List<String> lines = (HEAD + body + "}\n" + after).lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String[] parts = lines.get(i).split("//! ", 2);
      if (parts.length == 2) {
        for (String text : parts[1].split(";;", -1)) {
          expected.add((i + 1) + ": " + text.strip());
        }
      }
    }
    List<String> errors =
        new Compilation(output).source("Bad", HEAD + body + "}\n" + after).run().errors();
    assertEquals(
        String.join("\n", expected.stream().sorted().toList()),
        String.join("\n", errors.stream().sorted().toList()));
  }

  private void check(String body) {
    check(body, "");
  }

  @Test
  void sizedStructures() {
    check(
        """
        @Call(1) int one(@Out(struct = Sized.class) long value); //! value: a sized structure is a single one that is read
        @Call(2) int two(@InOut(struct = Late.class) long value);
        @Call(3) @Async @WrittenOn(5) int three(); //! three: @WrittenOn is for calls that are answered
        """,
        """
        @Struct(sized = true) record Sized(int version, long more) {}
        @Struct(sized = true) record Late(long more, int version) {} //! a sized structure begins with an int and has no wireSize
        """);
  }

  @Test
  void olderForms() {
    check(
        """
        @Call(1) int wide(@Out(LONG) long value, long bytes);
        @Same(as = "wide") default int one(@Out(INT) long value, int bytes) { return 0; }
        @Same(as = "none") default int two() { return 0; } //! two: "none" is no other function
        @Same(as = "three") default int three() { return 0; } //! three: "three" is no other function
        @Same(as = "wide") default int four(long bytes) { return 0; } //! four: wide has 2 parameters, not 1
        @Same(as = "wide", with = {"NULL", "more"}) default int five() { return 0; } //! five: "more" is no parameter, number or NULL
        @Same(as = "wide") default int six(@Out(SHORT) long value, byte bytes) { return 0; } //! six: value does not fit value;;six: bytes does not fit bytes
        @Same(as = "wide", undo = "none") default int seven(@Out(INT) long value, int bytes) { return 0; } //! seven: "none" is no function
        @Same(as = "wide") @Variants("other") default int eight(@Out(INT) long value, int bytes) { return 0; } //! variant other: wide has none of this ending
        @Same(as = "wide", with = {"&bytes", "0"}) default int nine(long bytes) { return 0; }
        @Call(2) int box(@In(struct = Large.class) long box);
        @Same(as = "box") default int ten(@In(struct = Small.class) long box) { return 0; }
        @Same(as = "box") default int eleven(@In(struct = Other.class) long box) { return 0; } //! eleven: box does not fit box
        """,
        """
        @Struct record Large(long width, int format) {}
        @Struct record Small(int width, int format) {}
        @Struct record Other(int length, int format) {}
        """);
  }

  @Test
  void functions() {
    check(
        """
        @Call(1) int one();
        @Call(1) int two(); //! two has the number 1 of one
        @Call(2) @Variants("one") int three(); //! variant one is covered by one already
        @Call(0) int four(); //! the number of a call is 1 to 65,535, not 0
        int five(); //! five: exactly one of @Call, @Local, @Same and @Refused
        @Call(6) @Local default int six() { return 0; } //! six: exactly one of @Call, @Local, @Same and @Refused
        @Local int seven(); //! seven: a method that does not travel is a default one
        @Call(8) long eight(); //! eight returns the library's result, an int
        @Call(9) @Async @Blocking int nine(); //! nine: at most one of @Async, @Blocking, @Cached and @Local
        @Local @Custom("why") default int ten() { return 0; } //! ten: @Custom is for calls
        @Refused int eleven(); //! eleven: a method that does not travel is a default one
        @Refused @Local default int twelve() { return 0; } //! twelve: exactly one of @Call, @Local, @Same and @Refused
        """);
  }

  @Test
  void answering() {
    check(
        """
        @Call(1) @Async int one(@Out(INT) long value); //! one: an @Async call has no outputs but handles that it makes
        @Call(2) @Cached int two(@Out(LONG) @Handle(value = 1, life = Life.CREATE) long thing); //! two: a @Cached call makes and ends nothing
        @Call(3) @Cached int three(@Handle(value = 1, life = Life.DESTROY) long thing); //! three: a @Cached call makes and ends nothing
        @Call(4) @Settles int four(long a, long b); //! four: a @Settles call is answered, has no outputs and at most 8 bytes of parameters
        @Call(5) @Settles int five(@Out(LONG) long a); //! five: a @Settles call is answered, has no outputs and at most 8 bytes of parameters
        @Call(6) @Settles @Async int six(); //! six: a @Settles call is answered, has no outputs and at most 8 bytes of parameters
        @Call(7) @DeviceWork(Work.WAIT) @Cached int seven(); //! seven: a @DeviceWork call travels each time
        @Local @DeviceWork(Work.COPY) default int eight() { return 0; } //! eight: a @DeviceWork call travels each time
        @Call(9) @DeviceWork(value = Work.COMPUTE, in = "queue") int nine(@Handle(1) long line); //! nine: in = "queue" is not a handle of a COMPUTE call
        @Call(10) @DeviceWork(value = Work.COMPUTE, in = "bytes") int ten(long bytes); //! ten: in = "bytes" is not a handle of a COMPUTE call
        @Call(11) @DeviceWork(value = Work.COPY, in = "line") int eleven(@Handle(1) long line); //! eleven: in = "line" is not a handle of a COMPUTE call
        """);
  }

  @Test
  void parameters() {
    check(
        """
        @Call(1) int a(@In(bytes = "size") long from, long length); //! "size" is not an integer parameter, nor points to one
        @Call(2) int b(@In(bytes = "length +") long from, long length); //! from: unexpected the end in "length +"
        @Call(3) int c(@In long from); //! from: exactly one of value, bytes, struct and @CString says what lies there
        @Call(4) int d(@In(value = INT, bytes = "4") long from); //! from: exactly one of value, bytes, struct and @CString says what lies there
        @Call(5) int e(@In(INT) int from); //! from: an address is a long
        @Call(6) int f(@In(INT) @Out(INT) long from); //! from: more than one of @In, @Out and @InOut
        @Call(7) int g(boolean flag, String text); //! flag: a parameter is byte, short, int, long, float or double ;; text: a parameter is byte, short, int, long, float or double
        @Call(8) int h(int register, int own_); //! register is a keyword of C ;; own_: names that end in _ are the generator's
        @Call(9) int i(@Out @CString long text); //! text: a text that is written needs bytes
        @Call(10) int j(@InOut @CString long text, int room); //! text: a text is read or written, not both
        @Call(11) int k(@In(struct = String.class) long from); //! String is not a record with @Struct
        @Call(12) int l(@In(value = INT, byValue = true) long from); //! from: byValue is for a single structure
        @Call(13) int m(@Callback(userData = "data") long function); //! unknown parameter "data"
        @Call(15) int o(@Out(LONG) @Returned long from, int last); //! from: @Returned is for the last parameter, an @Out(LONG)
        @Call(16) int p(@In(LONG) @Returned long from); //! from: @Returned is for the last parameter, an @Out(LONG)
        @Call(17) int q(@Found int count); //! q: @Found is for what is @Custom
        @Call(18) int r(@Callback(userData = "data", position = 4) long function, long data); //! function: the user data is one of the first 4 arguments
        @Call(19) int s(long name, @Found(values = "name") int many); //! "name" is no int that says how many values there are
        @Call(20) int t(@Offset(5) int place); //! place: an offset is a long
        @Call(14) int n(@In(value = INT, count = "weight") long from, float weight); //! "weight" is not an integer parameter, nor points to one
        """);
  }

  @Test
  void numbersOfElements() {
    check(
        """
        @Call(1) int a(long size, @Out(bytes = "size") long value, @Out(LONG) @Within("value") long used);
        @Call(2) int b(long size, @Out(bytes = "size") long value, @Out(LONG) @Within("size") long used); //! used: @Within is for a single number, which counts an output with a length
        @Call(3) int c(@Out(LONG) long value, @Out(LONG) @Within("value") long used); //! used: @Within is for a single number, which counts an output with a length
        @Call(4) int d(long size, @In(bytes = "size") long value, @Out(LONG) @Within("value") long used); //! used: @Within is for a single number, which counts an output with a length
        """);
  }

  @Test
  void advancing() {
    check(
        """
        @Call(1) int a(long to, @In(bytes = "bytes", advancing = "two") long from, long bytes); //! unknown advancing parameter "two"
        @Call(2) int b(long to, @In(bytes = "2 * bytes", advancing = "to") long from, long bytes); //! from: what advances is @In or @Out bytes of one long parameter
        @Call(3) int c(long to, @In(value = INT, count = "bytes", advancing = "to") long from, long bytes); //! from: what advances is @In or @Out bytes of one long parameter
        @Call(4) int d(long to, @In(bytes = "bytes", advancing = "to") long from, @Out(bytes = "bytes", advancing = "to") long out, long bytes); //! d: one pointer of a call can be advancing
        """);
  }

  @Test
  void handles() {
    check(
        """
        @Call(1) int a(@Handle(2) long thing); //! unknown kind of handle 2: @Library lists no such @Kind
        @Call(2) int b(@Handle(1) int thing); //! thing: handles and device pointers are long
        @Call(3) int c(@Out(INT) @Handle(1) long thing); //! thing: a pointer to handles or device pointers points to LONG
        @Call(4) int d(@Handle(value = 1, life = Life.CREATE) long thing); //! thing: a handle that is made comes out through @Out
        @Call(5) int e(@Out(LONG) @Handle(value = 1, life = Life.DESTROY) long thing); //! thing: DESTROY is for a handle itself
        @Call(6) int f(@Out(value = LONG, count = "2") @Handle(value = 1, life = Life.CREATE) long thing); //! thing: CREATE is for a single @Out handle
        @Call(7) int g(@Out(LONG) @Handle(value = 1, parent = "owner") long thing); //! thing: parent "owner" is not a handle of this call
        @Call(8) int h(@Handle(value = 1, parent = "thing") long thing); //! thing: only a handle that comes out has a parent
        @Call(9) int i(@Handle({}) long thing); //! @Handle without a kind
        """);
  }

  @Test
  void owners() {
    String wrong = "is for the only parameter of a";
    String kind = "function, a handle of one kind of objects";
    check(
        """
        @Call(1) int a(@Handle(value = 1, life = Life.RELEASE) long thing); //! thing: RELEASE %1$s travelling %2$s
        @Local default int b(@Handle(value = 1, life = Life.RETAIN) long thing) { return 2; } //! thing: RETAIN %1$s @Local %2$s
        }
        @Library(name = "good", id = 8, soname = "libgood.so", objects = true,
            kinds = {@Kind(id = 1, name = "thing", type = "Thing", holds = Holds.NOTHING, invalid = 9), @Kind(id = 2, name = "other", type = "Other", holds = Holds.NOTHING, invalid = 9)},
            results = @Results(invalidValue = 1, notSupported = 2, notInitialized = 3, unavailable = 4, outOfMemory = 5))
        interface Good {
        @Call(1) int a(@Handle(value = 1, life = Life.RELEASE) long thing);
        @Call(2) int b(@Handle(value = 1, life = Life.RELEASE) long thing); //! b: a releases a thing already
        @Call(3) int c(@Handle(value = 1, life = Life.RETAIN) long thing); //! thing: RETAIN %1$s @Local %2$s
        @Local default int d(@Handle(value = 1, life = Life.RELEASE) long thing) { return 2; } //! thing: RELEASE %1$s travelling %2$s;; d: a releases a thing already
        @Call(4) int e(@Handle(value = {2, 1}, life = Life.RELEASE) long thing); //! thing: RELEASE %1$s travelling %2$s
        @Local default int f(@Handle(value = 1, life = Life.RETAIN) long thing, int more) { return 2; } //! thing: RETAIN %1$s @Local %2$s
        @Call(5) int g(@In(LONG) @Handle(value = 1, life = Life.RELEASE) long thing); //! thing: RELEASE is for a handle itself;; thing: RELEASE %1$s travelling %2$s
        @Call(6) @Custom("by hand") int h(@Handle(value = 1, life = Life.RELEASE) long thing); //! thing: RELEASE %1$s travelling %2$s;; h: a releases a thing already
        """
            .formatted(wrong, kind));
  }

  @Test
  void whatCallsTake() {
    check(
        """
        }
        @Library(name = "good", id = 8, soname = "libgood.so",
            kinds = {@Kind(id = 1, name = "queue", type = "Queue", holds = Holds.WORK, invalid = 9), @Kind(id = 2, name = "memory", type = "Memory", holds = Holds.MEMORY, invalid = 9)},
            results = @Results(invalidValue = 1, notSupported = 2, notInitialized = 3, unavailable = 4, outOfMemory = 5))
        interface Good {
        @Call(1) int a(@Handle(1) long queue); //! a is given what holds work: @Takes says what it takes
        @Call(2) int b(@Out(LONG) @Handle(value = 2, life = Life.CREATE) long made, long bytes); //! b makes what holds memory: @Takes says how much
        @Call(3) @Takes(Resource.NOTHING) int c(@Handle(1) long queue);
        @Call(4) @Takes(value = Resource.COMPUTE, of = "queue") int d(@Handle(1) long queue);
        @Call(5) @Takes(value = Resource.MEMORY, bytes = "2 * bytes") int e(@Out(LONG) @Handle(value = 2, life = Life.CREATE) long made, long bytes);
        @Call(6) @Takes(Resource.MEMORY) int f(@Out(LONG) @Handle(value = 2, life = Life.CREATE) long made); //! f: bytes or by says how much memory a call takes, and nothing else does
        @Call(7) @Takes(value = Resource.MEMORY, bytes = "size") int g(@Out(LONG) @Handle(value = 2, life = Life.CREATE) long made, long bytes); //! g: unknown parameter "size"
        @Call(8) @Takes(value = Resource.MEMORY, bytes = "bytes") int h(long bytes); //! h: memory ends with a handle that is made, or is at an output
        @Call(9) @Takes(value = Resource.COMPUTE, of = "number") int i(long number); //! i: of = "number" is no handle
        @Call(10) @Takes(value = Resource.MEMORY, ends = "place") int j(long address); //! j: ends = "place" is no address
        @Call(11) int k(@Handle(value = 1, life = Life.DESTROY) long queue);
        @Call(12) int l(@In(value = LONG, count = "count") @Handle(1) long queues, int count); //! l is given what holds work: @Takes says what it takes
        @Local @Takes(Resource.NOTHING) default int m() { return 2; } //! m: @Takes is for calls
        """);
  }

  @Test
  void ranges() {
    check(
        """
        @Call(1) @Takes(Resource.NOTHING) int a(@DevicePointer @Range(Range.Use.RESERVE) long to); //! to: RESERVE is for a device address that comes out, and names the call that undoes it;; "" is no call whose parameters are those of this one
        @Call(2) int b(@Out(LONG) @Range(Range.Use.RELEASE) long to); //! to: RELEASE is for a device address itself
        @Call(3) @Takes(Resource.NOTHING) int c(@Out(LONG) @DevicePointer @Range(value = Range.Use.RESERVE, bytes = "size", undo = "d", in = "line") long to); //! unknown parameter "size";; "d" is no call whose parameters are those of this one;; unknown parameter "line"
        @Call(4) int d(@DevicePointer @Range(Range.Use.RELEASE) long to, long more);
        """);
  }

  @Test
  void bytes() {
    check(
        """
        @Call(1) @Copy int a(@DevicePointer long to, long bytes); //! a: a copy has an address, bytes and how many there are, and at most a stream
        @Call(2) @Fill int b(@DevicePointer long to, int value); //! b: a fill has an address, a value and how many there are, and at most a stream
        """);
  }

  @Test
  void answers() {
    String kept = "an answer that is kept until a change is one int or long, to at most 3 numbers";
    check(
        """
        @Call(1) @Cached(until = "thing") int a(@Out(FLOAT) long value); //! a: %1$s
        @Call(2) @Cached(until = "thing") int b(@Out(INT) long value, int a, int b, int c, int d); //! b: %1$s
        @Call(3) @Cached(until = "A thing") int c(@Out(INT) long value); //! c: a topic is a word in lower case, not "A thing"
        @Call(4) @Invalidates("") int d(); //! d: a topic is a word in lower case, not ""
        @Call(5) @Blocking @Cached(until = "thing") int e(@Out(INT) long value); //! e: %1$s
        """
            .formatted(kept));
  }

  @Test
  void objectsOfTheProgram() {
    check(
        """
        @Call(1) int a(@Handle(1) long thing, @Own long other); //! other: @Own is for a handle that is given
        @Call(2) int b(@Handle(1) @Known(7) long thing); //! b: @Known is for calls that make something
        @Call(3) @Query int c(@Handle(1) long thing, int name); //! c: a @Query is given an object, a name, a size, and places for an answer and its size
        @Call(4) int d(long list, @Found(pairs = "list") int count); //! "list" is no list whose length is an int
        """);
  }

  @Test
  void widths() {
    check(
        """
        @Call(1) int a(@Out(INT) @Narrow(by = "what", upTo = 3) long figure, int what); //! figure: a @Narrow number is one long, and another number says what it is
        @Call(2) int b(@Out(LONG) @Narrow(by = "what", upTo = 3) long figure); //! figure: a @Narrow number is one long, and another number says what it is
        """);
  }

  @Test
  void lanes() {
    check(
        """
        @Call(1) int a(@OrderedBy long number); //! number: @OrderedBy is for a handle that is given
        @Call(2) int b(@Out(LONG) @Handle(1) @NotesLane long thing); //! thing: @NotesLane is for a handle
        """);
  }

  @Test
  void ordinals() {
    check(
        """
        @Call(1) int a(@Ordinal long device); //! device: the number of a device is an int without a tag
        @Call(2) int b(@Ordinal(tag = "b") int device); //! device: the number of a device is an int without a tag
        @Call(3) int c(@In(LONG) @Ordinal long device); //! device: the number of a device is an int without a tag
        @Call(4) int d(@Out(value = INT, count = "2") @Ordinal long devices); //! devices: an array with numbers of devices is read only
        @Call(5) int e(@In(struct = One.class) long from);
        """,
        """
        @Struct record One(@Ordinal(tag = "kind") int a, @Ordinal long b) {} //! a: "kind" is not an int or long member;; the number of a device is an int
        """);
  }

  @Test
  void structures() {
    check(
        """
        @Call(1) int a(@In(struct = One.class) long from);
        @Call(2) int b(@Out(struct = Two.class) long to); //! to: a structure with pointers can only be read
        @Call(3) int c(@In(struct = Three.class, count = "2") long from); //! from: an array of structures has no wireSize
        @Call(4) int d(@In(struct = Four.class) long from);
        @Call(5) int e(@In(struct = Five.class) long from); //! e: the fixed part of the request is 2097168 bytes, more than 1048576
        """,
        """
        @Struct record One(
            String text, //! String is not a record with @Struct
            int[] values, //! values: an array member needs @Size of 1 or more
            boolean flag, //! flag: a member of type boolean cannot be described
            @In(INT) long plain, //! plain: a pointer member needs @In with a value or struct, and a count
            One self) {} //! One contains itself
        @Struct record Two(int count, @In(value = INT, count = "count") long values) {}
        @Struct(wireSize = 16) record Three(int count, Inner inner) {} //! inner: a nested structure has no wireSize
        @Struct(wireSize = 8) record Inner(int value) {}
        @Struct(wireSize = 4) record Four(long a, @In(value = INT, count = "b") long values, @Union(tag = "c") Choice choice) {} //! wireSize 4 is less than the layout's 24 ;; wireSize 4 is not a multiple of 8 ;; values: "b" is not an int or long member ;; choice: "c" is not an int or long member
        sealed interface Choice {}
        @Struct @Union.Case(1) record First(int value) implements Choice {}
        @Struct("Five") record Six(int value) {}
        @Struct record Five(@Size(2097152) byte[] large, Six six) {} //! another structure has the C name Five
        """);
  }

  @Test
  void libraries() {
    Compilation compilation =
        new Compilation(output)
            .source(
                "Worse",
                """
                package p;
                import io.outboard.spec.*;
                @Library(name = "Bad one", id = 0, soname = "x", kinds = {
                    @Kind(id = 1, name = "a", type = "A", holds = Holds.NOTHING, invalid = 1, specials = 5),
                    @Kind(id = 1, name = "b", type = "B", holds = Holds.NOTHING, invalid = 1, perThread = 2),
                    @Kind(id = 64, name = "b", type = "C", holds = Holds.NOTHING, invalid = 1)},
                    results = @Results(success = 1, invalidValue = 1, notSupported = 2, notInitialized = 3, unavailable = 4, outOfMemory = 5))
                interface Worse {}
                """)
            .run();
    assertEquals(
        List.of(
            "8: the name of a library is 1 to 23 lower-case letters and digits, a letter first",
            "8: the number of a library is 1 to 65,535, not 0",
            "8: success must be 0",
            "8: kind a: a special value is −1, 0, 1 or 2",
            "8: kind b: 0 and the per-thread value are specials",
            "8: two kinds have the number 1",
            "8: the number of a kind is 1 to 63, not 64",
            "8: kind \"b\": names are lower case, and each its own"),
        compilation.errors());
  }

  @Test
  void symbols() throws Exception {
    Path symbols = output.resolve("bad.tsv");
    Files.writeString(symbols, "one\tone\t1\t0\nfour\tfour\t-\t0\n");
    Compilation compilation =
        new Compilation(output)
            .option("-Aoutboard.symbols=" + symbols)
            .source(
                "Bad",
                HEAD
                    + """
                    @Call(1) @Variants("one_ptsz") int one();
                    @Call(2) int two();
                    @Call(3) @Custom("our own") int three();
                    @Call(4) int four(int number);
                    }
                    """)
            .run();
    assertEquals(
        List.of(
            HEAD_LINES + 1 + ": variant one_ptsz is no symbol of the vendor's library",
            HEAD_LINES
                + 2
                + ": two is no symbol of the vendor's library; a call of our own is @Custom",
            HEAD_LINES
                + 4
                + ": four is given no handle by which its vendor could be found: bind it by hand"),
        compilation.errors());
  }

  @Test
  void aSymbolsFileThatIsNone() throws Exception {
    Path symbols = output.resolve("bad.tsv");
    Files.writeString(symbols, "# fine\none one 1 0\n");
    Compilation compilation =
        new Compilation(output)
            .option("-Aoutboard.symbols=" + symbols)
            .source("Bad", HEAD + "@Call(1) int one();\n}\n")
            .run();
    assertEquals(
        List.of(
            "7: java.io.IOException: "
                + symbols
                + ":2: not \"symbol base version per-thread\" with tabs"),
        compilation.errors());
  }
}
