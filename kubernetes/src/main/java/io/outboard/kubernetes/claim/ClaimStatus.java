// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.claim;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatus;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatusBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The state of a claim's devices, for the scheduler and for people.
 *
 * @param leased whether programs can use them
 * @param refused whether they never can
 * @param reason a word for programs
 * @param message for people
 */
record ClaimStatus(boolean leased, boolean refused, String reason, String message) {
  /** Writes it into a claim; returns whether that says something new. */
  boolean write(ResourceClaim claim, Instant now) {
    List<AllocatedDeviceStatus> before = claim.getStatus().getDevices();
    List<AllocatedDeviceStatus> after = new ArrayList<>();
    before.stream().filter(one -> !Driver.NAME.equals(one.getDriver())).forEach(after::add);
    for (DeviceRequestAllocationResult result : Driver.results(claim)) {
      after.add(status(result, before, now));
    }
    boolean news = !after.equals(before);
    claim.getStatus().setDevices(after);
    return news;
  }

  private AllocatedDeviceStatus status(
      DeviceRequestAllocationResult result, List<AllocatedDeviceStatus> before, Instant now) {
    List<Condition> told =
        before.stream()
            .filter(one -> isOf(one, result))
            .flatMap(one -> one.getConditions().stream())
            .toList();
    return new AllocatedDeviceStatusBuilder()
        .withDriver(result.getDriver())
        .withPool(result.getPool())
        .withDevice(result.getDevice())
        .withShareID(result.getShareID())
        .withConditions(
            condition(Driver.LEASED, leased, told, now),
            condition(Driver.REFUSED, refused, told, now))
        .build();
  }

  private static boolean isOf(AllocatedDeviceStatus status, DeviceRequestAllocationResult result) {
    return Driver.NAME.equals(status.getDriver())
        && result.getDevice().equals(status.getDevice())
        && Optional.ofNullable(result.getShareID())
            .equals(Optional.ofNullable(status.getShareID()));
  }

  private Condition condition(String type, boolean holds, List<Condition> told, Instant now) {
    String status = holds ? "True" : "False";
    String since =
        told.stream()
            .filter(one -> one.getType().equals(type) && one.getStatus().equals(status))
            .map(Condition::getLastTransitionTime)
            .findFirst()
            .orElse(now.toString());
    return new ConditionBuilder()
        .withType(type)
        .withStatus(status)
        .withReason(reason)
        .withMessage(message)
        .withLastTransitionTime(since)
        .build();
  }
}
