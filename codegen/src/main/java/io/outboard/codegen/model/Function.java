// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.model;

import io.outboard.codegen.model.Parameter.Pointer;
import io.outboard.spec.Work;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A function of a library.
 *
 * @param number on the wire; 0 if it does not travel
 * @param name the vendor's symbol
 * @param answering how it is answered
 * @param variants other symbols that fold into this one
 * @param inStream the function that does the same in a stream, or empty
 * @param parameters in order
 * @param byHand why the C symbol is written by hand; empty if it is generated
 * @param boundByHand whether the binding to the vendor's library is written by hand
 * @param prototype the C prototype where it differs from the method, else empty
 * @param hasBody whether the interface method is a default one
 * @param settles whether a success stands until the session sends more
 * @param work how it has to do with work of a device, if it has
 * @param workIn the parameter whose handle is the queue of that work, or empty
 * @param taking what it takes of a device, if it says so
 * @param writtenOn results other than success with which the outputs are written
 * @param around what its symbol does around the call
 * @param topic simple name of the interface that declares it
 * @param older how it is an older form of another function, if it is
 */
public record Function(
    int number,
    String name,
    Answering answering,
    List<String> variants,
    String inStream,
    List<Parameter> parameters,
    String byHand,
    boolean boundByHand,
    String prototype,
    boolean hasBody,
    boolean settles,
    Optional<Work> work,
    String workIn,
    Optional<Taking> taking,
    List<Integer> writtenOn,
    Around around,
    String topic,
    Optional<Older> older) {

  private static final String OWN = "outboard";

  /** Whether it is Outboard's own: no vendor's library has it. */
  public boolean isOwn() {
    return name.startsWith(OWN);
  }

  /** Whether the function travels. */
  public boolean travels() {
    return answering != Answering.LOCAL
        && answering != Answering.SAME
        && answering != Answering.REFUSED;
  }

  /** Whether numbers of devices are translated. */
  public boolean hasOrdinals() {
    return parameters.stream().anyMatch(Parameter::hasOrdinals);
  }

  /** Whether the C symbol is written by hand. */
  public boolean handWritten() {
    return !byHand.isEmpty();
  }

  /** Whether it asks a device for work, or waits for some. */
  public boolean deviceWork() {
    return work.isPresent();
  }

  /** Whether it asks a device for work. */
  public boolean asksForWork() {
    return deviceWork() && !work.equals(Optional.of(Work.WAIT));
  }

  /** Whether it passes through the meter of a shared device. */
  public boolean metered() {
    return work.equals(Optional.of(Work.COMPUTE));
  }

  /** Whether a symbol is this function or folds into it. */
  public boolean covers(String symbol) {
    return name.equals(symbol) || variants.contains(symbol);
  }

  /** The pointer parameters, in order of their presence bits. */
  public List<Pointer> pointers() {
    return parameters.stream().filter(Pointer.class::isInstance).map(Pointer.class::cast).toList();
  }

  /** The parameters that the vendor's function has too. */
  public List<Parameter> vendors() {
    return parameters.stream()
        .filter(parameter -> !(parameter instanceof Parameter.Value value && value.found()))
        .toList();
  }

  /** The pointer to what the C function returns, its last parameter, if it is such a function. */
  public Optional<Pointer> returned() {
    return pointers().stream().filter(Pointer::returned).findFirst();
  }

  /** The first handle that the function is given. */
  public Optional<Parameter.Value> firstHandle() {
    return parameters.stream()
        .filter(p -> p instanceof Parameter.Value value && value.handle().present())
        .map(Parameter.Value.class::cast)
        .findFirst();
  }

  /** The handle whose owners the function counts, if it does. */
  public Optional<Parameter.Value> owned() {
    return firstHandle().filter(v -> v.handle().retains() || v.handle().releases());
  }

  /** Those to structures that say how large they are. */
  public List<Pointer> sized() {
    return pointers().stream().filter(Pointer::sized).toList();
  }

  /** The parameter of a name. */
  public Optional<Parameter> parameter(String parameter) {
    return parameters.stream().filter(p -> p.name().equals(parameter)).findFirst();
  }

  /** Whether a successful call leaves something to do: outputs to hand on, handles to end. */
  public boolean hasOutcome() {
    return pointers().stream().anyMatch(pointer -> pointer.direction().writes())
        || parameters.stream()
            .anyMatch(p -> p instanceof Parameter.Value value && value.handle().destroys());
  }

  /** The condition, in C and in Java, that a result leaves the outputs unwritten. */
  public String failed(String result) {
    return Stream.concat(Stream.of(0), writtenOn.stream())
        .map(code -> result + " != " + code)
        .collect(Collectors.joining(" && "));
  }

  /**
   * A number that is written, and the output whose elements it counts: never more than there is
   * room for.
   *
   * @param always whether it holds for any result
   */
  public record Count(Pointer number, Pointer elements, boolean always) {
    /**
     * The condition on which it is to hold. A program that has room for none may be told how many
     * there are.
     *
     * @param nowhere no pointer, as the language has it
     */
    public String condition(String nowhere) {
      String room =
          number.within().isEmpty()
              ? elements.name() + "_bytes_ > 0"
              : elements.name() + " != " + nowhere;
      return always ? room : "result_ == 0 && " + room;
    }
  }

  /** All of those. */
  public List<Count> counts() {
    return pointers().stream()
        .flatMap(
            number ->
                counted(number)
                    .map(elements -> new Count(number, elements, writtenOn.isEmpty()))
                    .stream())
        .toList();
  }

  /** The output whose elements a number that is written counts. */
  public Optional<Pointer> counted(Pointer number) {
    boolean isNumber = number.inFixedReply() && number.target() instanceof Target.Scalars;
    return pointers().stream()
        .filter(pointer -> isNumber && pointer.inVariableReply() && !pointer.text())
        .filter(
            pointer ->
                number.within().isEmpty()
                    ? number.direction().reads()
                        && pointer
                            .count()
                            .filter(new Expression.Name(number.name())::equals)
                            .isPresent()
                    : number.within().equals(pointer.name()))
        .findFirst();
  }

  /** The pointer whose data is cut into chunks, if there is one. */
  public Optional<Pointer> advancing() {
    return pointers().stream().filter(p -> !p.advancing().isEmpty()).findFirst();
  }

  /** Whether a variant means the thread's own default stream. */
  public static boolean perThread(String symbol) {
    return symbol.endsWith("_ptds") || symbol.endsWith("_ptsz");
  }
}
