// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import io.outboard.backend.library.Allotment;
import io.outboard.backend.quota.QuotaPage;
import io.outboard.backend.slices.SliceKeeper;
import io.outboard.backend.supervision.SessionFigures;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.region.SharedFile;
import io.outboard.lease.Form;
import io.outboard.lease.Gpu;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.LeaseState;
import io.outboard.lease.Sharing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The sessions of a lease that has devices, and the memory that they count theirs in. */
final class UsedLease implements AutoCloseable {
  /** Starts the keeper of time slices, once. */
  @FunctionalInterface
  interface Keepers {
    /** The descriptor is that of the events of workers that are there already, or none. */
    SliceKeeper get(int events) throws IOException;
  }

  private static final int PERCENT = LeaseRequest.WHOLE / Allotment.WHOLE;

  private final Sharing sharing;
  private final Keepers keepers;
  private Lease lease;
  // None where memory has no limit, or nobody has used it yet.
  private QuotaPage page;
  // None where the devices are the lease's alone.
  private SliceKeeper.Tenancy slices;
  // The keeper of their devices, from the first time that there are any.
  private SliceKeeper keeper;
  private final List<Long> busy = new ArrayList<>();
  // Nanoseconds in which devices had work of it, by their UUIDs, of which none is ever taken.
  private final Map<String, Long> worked = new HashMap<>();
  private final BitSet slots = new BitSet();
  private final List<LeaseSession> sessions = new ArrayList<>();
  // Set when the sessions have been told to end.
  private LeaseState ending;
  // Whether the sessions are being suspended or resumed.
  private boolean moving;
  // Whether those that are suspended can be resumed elsewhere.
  private boolean portable;
  // The work of ended sessions that the store does not have yet.
  private SessionFigures done = SessionFigures.NOTHING;
  // All work of its sessions in this process.
  private SessionFigures all = SessionFigures.NOTHING;

  UsedLease(Lease lease, Sharing sharing, Keepers keepers) {
    this.lease = lease;
    this.sharing = sharing;
    this.keepers = keepers;
    lease.gpus().forEach(_ -> busy.add(0L));
  }

  boolean isUsed() {
    return !sessions.isEmpty();
  }

  int sessions() {
    return sessions.size();
  }

  /** Those whose client has lost its connection. */
  long away() {
    return sessions.stream().filter(LeaseSession::isAway).count();
  }

  /** Gives a session a place of its own among the lease's. */
  Allotment allot() throws IOException {
    List<Allotment.Gpu> gpus =
        lease.gpus().stream().map(gpu -> new Allotment.Gpu(gpu.number(), gpu.uuid())).toList();
    if (!lease.request().limitsMemory() && !hasSlices()) {
      return new Allotment(gpus, Allotment.NONE, 0);
    }
    int slot = slots.nextClearBit(0);
    if (slot >= QuotaPage.MOST_WORKERS) {
      throw new IOException("a lease has at most " + QuotaPage.MOST_WORKERS + " sessions");
    }
    if (page == null) {
      page = QuotaPage.create(lease.gpus().stream().map(lease.request()::memoryOf).toList());
    }
    share();
    slots.set(slot);
    if (slices != null) {
      slices.join(slot);
    }
    return new Allotment(gpus, page.descriptor(), slot, events(), percent());
  }

  /** MPS counts in hundredths; the smallest share has one. */
  private int percent() {
    return sharing == Sharing.MPS
        ? Math.ceilDiv(lease.request().share(), PERCENT)
        : Allotment.WHOLE;
  }

  /** From now on its sessions compute in time slices, which measure them too. */
  private void share() throws IOException {
    if (slices == null && hasSlices()) {
      keeper = keepers.get(Allotment.NONE);
      slices = lend();
    }
  }

  /** A session goes on that the process before has let begin. */
  void inherit(Allotment allotment) throws IOException {
    if (!allotment.isLimited()) {
      return;
    }
    if (page == null) {
      page = QuotaPage.takeBack(allotment.page());
    } else {
      requireSame(page.descriptor(), allotment.page());
    }
    if (allotment.isShared()) {
      keeper = keepers.get(allotment.events());
      slices = slices == null ? lend() : slices;
      slices.goOn(allotment.slot());
    }
    slots.set(allotment.slot());
  }

  /** All workers of a lease have its page; one descriptor of it is enough. */
  static void requireSame(int mine, int other) throws IOException {
    if (!SharedFile.identity(mine).equals(SharedFile.identity(other))) {
      throw new IOException("it has another page than its lease");
    }
    Posix.close(other);
  }

  private boolean hasSlices() {
    LeaseRequest request = lease.request();
    return switch (sharing) {
      case TURNS -> !request.isCommon() && request.share() < LeaseRequest.WHOLE;
      case MEASURED_TURNS -> !request.isCommon();
      case MPS -> false;
    };
  }

  private int events() {
    return keeper == null ? Allotment.NONE : keeper.events();
  }

  private SliceKeeper.Tenancy lend() {
    List<Integer> gpus = lease.gpus().stream().map(Gpu::number).toList();
    return keeper.lend(gpus, lease.request().share(), page);
  }

  /** The lease has other devices; its sessions are suspended, and hold no slice of one. */
  void moveTo(Lease now) {
    if (slices != null) {
      addBusy(slices.busy());
      slices.close();
    }
    lease = now;
    if (slices != null) {
      slices = lend();
      slots.stream().forEach(slices::join);
    }
  }

  /** Whether its sessions go on with another share of the devices. */
  boolean canHave(int share) {
    boolean whole = share == LeaseRequest.WHOLE && sharing != Sharing.MPS;
    return whole || slices != null || sessions.isEmpty();
  }

  /** The lease as it is now, perhaps with another share. */
  void is(Lease now) {
    lease = now;
    if (slices != null) {
      slices.share(now.request().share());
    }
  }

  void add(LeaseSession session) {
    sessions.add(session);
  }

  /** A session has ended: its memory is free again. */
  void remove(LeaseSession session, SessionFigures figures) {
    sessions.remove(session);
    count(session, figures);
    if (slices != null) {
      addBusy(slices.leave(session.allotment().slot()));
    }
    if (page != null) {
      page.clear(session.allotment().slot());
      slots.clear(session.allotment().slot());
    }
  }

  /** Takes what the sessions have done into account. */
  void count() {
    sessions.forEach(session -> count(session, session.figures()));
    if (slices != null) {
      addBusy(slices.busy());
    }
  }

  private void addBusy(List<Long> more) {
    for (int place = 0; place < more.size(); place++) {
      busy.set(place, busy.get(place) + more.get(place));
      worked.merge(lease.gpus().get(place).uuid(), more.get(place), Long::sum);
    }
  }

  /** For how many nanoseconds a device had work of it, as far as that is measured. */
  long worked(Gpu gpu) {
    return worked.getOrDefault(gpu.uuid(), 0L);
  }

  /** Bytes of a device that its programs have, as far as they are counted. */
  long memory(Gpu gpu) {
    List<Gpu> gpus = lease.gpus();
    return page == null
        ? 0
        : IntStream.range(0, gpus.size())
            .filter(place -> gpus.get(place).is(gpu))
            .mapToLong(page::used)
            .sum();
  }

  /**
   * The nanoseconds in which each device was busy since the last time that this was asked; empty
   * where that is not measured.
   */
  List<Long> takeBusy() {
    if (slices == null) {
      return List.of();
    }
    List<Long> taken = List.copyOf(busy);
    busy.replaceAll(_ -> 0L);
    return taken;
  }

  private void count(LeaseSession session, SessionFigures figures) {
    SessionFigures since = session.since(figures);
    done = done.plus(since);
    all = all.plus(since);
  }

  /** The work of its sessions in this process, up to now. */
  LeaseWork work() {
    count();
    OptionalLong measured =
        slices == null
            ? OptionalLong.empty()
            : OptionalLong.of(worked.values().stream().mapToLong(Long::longValue).sum());
    return new LeaseWork(
        all.calls(), all.bytesIn(), all.bytesOut(), measured, OptionalLong.empty());
  }

  /** Returns the work since the last call. */
  SessionFigures takeCounted() {
    SessionFigures counted = done;
    done = SessionFigures.NOTHING;
    return counted;
  }

  /** The lease's state after its last session has ended, if that is decided. */
  Optional<LeaseState> ending() {
    return Optional.ofNullable(ending);
  }

  void ending(LeaseState how) {
    ending = how;
  }

  /** The sessions as rows of a control connection. */
  Stream<Form> rows() {
    return sessions.stream().map(session -> of(session.row(), lease));
  }

  /** A session's row with its lease's owner. */
  static Form of(Form row, Lease lease) {
    return row.with("lease", lease.id())
        .with("tenant", lease.tenant())
        .with("consumer", lease.request().consumer())
        .with("user", lease.request().identity().user())
        .with("class", lease.request().service().label());
  }

  List<LeaseSession> all() {
    return List.copyOf(sessions);
  }

  boolean isMoving() {
    return moving;
  }

  /** The sessions are about to be suspended or resumed; which those are. */
  List<LeaseSession> move() {
    moving = true;
    return List.copyOf(sessions);
  }

  /** That is over. */
  void moved() {
    moving = false;
  }

  /** Whether the suspended sessions can be resumed on other devices of the same model. */
  boolean canMove() {
    return portable || sessions.isEmpty();
  }

  /** Notes whether the suspended sessions can be resumed elsewhere. */
  void portable(boolean can) {
    portable = can;
  }

  void stop(String why) {
    List.copyOf(sessions).forEach(session -> session.stop(why));
  }

  @Override
  public void close() {
    if (slices != null) {
      slices.close();
      slices = null;
    }
    if (page != null) {
      page.close();
      page = null;
    }
  }
}
