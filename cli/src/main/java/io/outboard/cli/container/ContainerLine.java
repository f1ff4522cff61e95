// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.container;

import io.outboard.cli.command.Failure;
import io.outboard.communicator.greeting.TokenFile;
import java.util.List;
import java.util.Optional;

/** A command of a container engine that is to have a lease. */
interface ContainerLine extends AutoCloseable {
  /** How many GPUs it asks for, where the engine has words for that. */
  default Optional<Integer> gpus() {
    return Optional.empty();
  }

  /** Whether its container has no network of its own. */
  boolean hasHostsNetwork();

  /** The variable of this command whose value a container has as its lease's token. */
  default String tokenVariable() {
    return TokenFile.VARIABLE;
  }

  /**
   * Looks at what it needs, before there is a lease.
   *
   * @throws Failure if no container can be made as it says
   */
  default void prepare() throws Failure {}

  /** The words that start the container, in which the client and a way to the backend are. */
  List<String> words(Reach reach);

  /** Whether it ends before its container. */
  default boolean detached() {
    return false;
  }

  /** Waits until the container has ended, once the command has. */
  default void await() throws Failure {}

  @Override
  default void close() throws Failure {}
}
