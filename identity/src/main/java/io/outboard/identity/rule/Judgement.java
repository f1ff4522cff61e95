// SPDX-License-Identifier: Apache-2.0
package io.outboard.identity.rule;

import io.outboard.lease.account.Standing;
import java.util.Optional;

/**
 * The answer of a rule about somebody.
 *
 * @param rule its name
 * @param fits whether its conditions are met
 * @param standing what it gives; empty where it does not fit, or cannot give that
 * @param why for people
 */
public record Judgement(String rule, boolean fits, Optional<Standing> standing, String why) {}
