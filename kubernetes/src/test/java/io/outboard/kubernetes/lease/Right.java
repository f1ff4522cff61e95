// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.lease;

import static java.util.stream.Collectors.toSet;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A right of Kubernetes ("Using RBAC Authorization").
 *
 * @param resource with its subresource behind a slash
 */
public record Right(String group, String resource, String verb) {
  private static final Pattern PATH =
      Pattern.compile(
          "/(?:api|apis/(?<group>[^/]+))/[^/]+(?:/namespaces/[^/]+(?=/))?"
              + "/(?<resource>[^/?]+)(?:/(?<name>[^/?]+))?(?<sub>/[^/?]+)?(?:\\?(?<query>.*))?");

  /** The one that a request uses; none where it is about no resource. */
  static Optional<Right> of(String method, String path) {
    Matcher matcher = PATH.matcher(path);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String sub = Optional.ofNullable(matcher.group("sub")).orElse("");
    String query = Optional.ofNullable(matcher.group("query")).orElse("");
    return Optional.of(
        new Right(
            Optional.ofNullable(matcher.group("group")).orElse(""),
            matcher.group("resource") + sub,
            verb(method, matcher.group("name") != null, query.contains("watch=true"))));
  }

  private static String verb(String method, boolean one, boolean watches) {
    return switch (method) {
      case "POST" -> "create";
      case "PUT" -> "update";
      case "PATCH" -> "patch";
      case "DELETE" -> one ? "delete" : "deletecollection";
      default -> watches ? "watch" : one ? "get" : "list";
    };
  }

  /** Those that the roles of a name grant, in the cluster and in a namespace. */
  public static Set<Right> granted(String manifests, String name) {
    List<HasMetadata> objects = new KubernetesSerialization().unmarshal(manifests);
    return objects.stream()
        .filter(object -> object.getMetadata().getName().equals(name))
        .flatMap(Right::rules)
        .flatMap(Right::of)
        .collect(toSet());
  }

  private static Stream<PolicyRule> rules(HasMetadata object) {
    return switch (object) {
      case ClusterRole role -> role.getRules().stream();
      case Role role -> role.getRules().stream();
      default -> Stream.empty();
    };
  }

  /** Those that a rule grants. */
  private static Stream<Right> of(PolicyRule rule) {
    return rule.getApiGroups().stream()
        .flatMap(
            group ->
                rule.getResources().stream()
                    .flatMap(
                        resource ->
                            rule.getVerbs().stream()
                                .map(verb -> new Right(group, resource, verb))));
  }
}
