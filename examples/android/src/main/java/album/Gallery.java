// SPDX-License-Identifier: Apache-2.0
package album;

import io.outboard.offload.client.Code;
import io.outboard.offload.client.Offloading;
import io.outboard.offload.decide.DeviceProfile;
import io.outboard.offload.decide.Fastest;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The part of an app behind its screen: an activity makes one, asks it, and closes it. Its methods
 * return at once, as a screen's thread has to.
 */
public final class Gallery implements AutoCloseable {
  private static final double WORK_WATTS = 4;
  private static final double WAIT_WATTS = 1;

  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private final Offloading backend;
  private final Album album;

  /**
   * Makes one.
   *
   * @param place of the backend, as {@code tls://SHA256@HOST}
   * @param token of the lease
   * @param jar the SHA-256 of the jar that the backend has: an app has no jar of itself to send
   */
  public Gallery(String place, String token, String jar) {
    backend =
        Offloading.to(place)
            .token(token)
            .code(Code.installed(jar))
            .choice(
                new Fastest(
                    Duration.ofSeconds(2), new DeviceProfile("phone", WORK_WATTS, WAIT_WATTS)))
            .build();
    album = AlbumChooser.of(backend, new PlainAlbum());
  }

  /** The name of the sharpest picture. */
  public CompletableFuture<Optional<String>> sharpest(Map<String, Picture> pictures) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return album.sharpest(pictures);
          } catch (AlbumException e) {
            throw new CompletionException(e);
          }
        },
        threads);
  }

  @Override
  public void close() {
    threads.shutdownNow();
    backend.close();
  }
}
