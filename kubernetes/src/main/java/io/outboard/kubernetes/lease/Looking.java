// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.lease;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.HttpURLConnection;

/** Looks at some, and remembers the first failure. */
public final class Looking {
  private static final System.Logger LOG = System.getLogger(Looking.class.getName());

  private IOException failure;

  /** A look at one of them. */
  @FunctionalInterface
  public interface Step {
    void run() throws IOException;
  }

  /**
   * Looks at one.
   *
   * @param what it is, for people
   */
  public void at(String what, Step step) {
    try {
      step.run();
    } catch (KubernetesClientException e) {
      // Somebody has changed or deleted it meanwhile: there is another look at once.
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT
          && e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        failed(what, e);
      }
    } catch (IOException | IllegalArgumentException e) {
      failed(what, e);
    }
  }

  private void failed(String what, Exception e) {
    LOG.log(System.Logger.Level.DEBUG, what, e);
    if (failure == null) {
      failure = new IOException("%s: %s".formatted(what, e.getMessage()), e);
    }
  }

  /**
   * Says what went wrong.
   *
   * @throws IOException if one could not be looked at
   */
  public void end() throws IOException {
    if (failure != null) {
      throw failure;
    }
  }
}
