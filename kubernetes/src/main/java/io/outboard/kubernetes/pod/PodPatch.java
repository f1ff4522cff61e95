// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.pod;

import io.outboard.api.json.Ordered;
import io.outboard.kubernetes.resource.PodWish;
import io.outboard.kubernetes.resource.Words;
import io.outboard.office.rest.Fields;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Supplier;

/**
 * The change of a pod that asks for GPUs, as a JSON Patch (RFC 6902): an init container brings the
 * client, and the containers have the variables by which programs find it and their lease.
 */
public final class PodPatch {
  private static final String CLIENT = "outboard-client";

  /** Where containers have the client. */
  public static final String HOME = "/opt/outboard";

  private static final String STAGING = "/outboard";
  private static final String LIBRARIES = "LD_LIBRARY_PATH";
  private static final String ADDRESS = "OUTBOARD";
  private static final String TOKEN = "OUTBOARD_TOKEN";

  /** The variables by which programs load the client where nothing starts them. */
  public static final SequencedMap<String, String> LOADING = loading();

  private final PodSettings settings;
  private final Supplier<String> names;

  /**
   * Makes it.
   *
   * @param names of leases, each another one that nobody guesses
   */
  public PodPatch(PodSettings settings, Supplier<String> names) {
    this.settings = settings;
    this.names = names;
  }

  private static SequencedMap<String, String> loading() {
    String vendors = HOME + "/lib/opencl/vendors";
    SequencedMap<String, String> loading = new LinkedHashMap<>();
    loading.put(LIBRARIES, HOME + "/lib:" + HOME + "/lib/opencl");
    loading.put("OCL_ICD_VENDORS", vendors);
    loading.put("OPENCL_VENDOR_PATH", vendors);
    return Collections.unmodifiableSequencedMap(loading);
  }

  /**
   * The operations for a pod that is to be made; none for one that asks for no GPUs.
   *
   * @throws IllegalArgumentException if it asks for what is none; the message is for its maker
   */
  public List<Object> of(Fields pod) {
    if (isDone(pod)) {
      return List.of();
    }
    int limits = limits(pod);
    Fields metadata = pod.object("metadata");
    Map<String, String> annotations = texts(metadata.object("annotations"));
    if (limits > 0) {
      once(annotations);
      annotations.put(Words.GPUS, Integer.toString(limits));
    }
    Optional<PodWish> wish = PodWish.of(annotations);
    String named = metadata.object("labels").text(Words.LEASE);
    if (wish.isPresent() && !named.isEmpty()) {
      throw new IllegalArgumentException(
          "a pod asks for GPUs (%s) or names a lease (%s), not both"
              .formatted(Words.GPUS, Words.LEASE));
    }
    if (wish.isEmpty() && named.isEmpty()) {
      return List.of();
    }
    return changes(pod, named.isEmpty() ? names.get() : named, annotations, limits > 0);
  }

  private static void once(Map<String, String> annotations) {
    if (annotations.containsKey(Words.GPUS)) {
      throw new IllegalArgumentException(
          "a pod says how many GPUs in its limits (%s) or in an annotation (%s), not in both"
              .formatted(Words.RESOURCE, Words.GPUS));
    }
  }

  /** The server may ask again, as others have changed the pod after us. */
  private static boolean isDone(Fields pod) {
    return pod.object("spec").objects("containers").stream()
        .flatMap(container -> container.objects("env").stream())
        .anyMatch(
            variable ->
                variable.text("name").equals(TOKEN)
                    && !variable.object("valueFrom").object("secretKeyRef").values().isEmpty());
  }

  private static Map<String, String> texts(Fields object) {
    Map<String, String> texts = new LinkedHashMap<>();
    object.names().forEach(name -> texts.put(name, object.text(name)));
    return texts;
  }

  private static int limits(Fields pod) {
    int sum = 0;
    for (Fields container : pod.object("spec").objects("containers")) {
      String limit = limit(container);
      sum += limit.isEmpty() ? 0 : PodWish.count(limit);
    }
    return sum;
  }

  private static String limit(Fields container) {
    return container.object("resources").object("limits").text(Words.RESOURCE);
  }

  private List<Object> changes(
      Fields pod, String lease, Map<String, String> annotations, boolean byLimits) {
    List<Object> changes = new ArrayList<>();
    Map<String, String> labels = texts(pod.object("metadata").object("labels"));
    labels.put(Words.LEASE, lease);
    changes.add(add("/metadata/labels", labels));
    changes.add(add("/metadata/annotations", annotations));
    boolean byNode = byLimits && settings.byNodes();
    List<Fields> containers = pod.object("spec").objects("containers");
    for (int i = 0; i < containers.size(); i++) {
      Fields container = containers.get(i);
      if (!byLimits || !limit(container).isEmpty()) {
        String path = "/spec/containers/" + i;
        List<String> own = byNode ? List.of(TOKEN) : List.of(ADDRESS, TOKEN);
        changes.add(
            add(
                path + "/env",
                variables(container.objects("env"), own, Words.secret(lease), byNode)));
        if (!byNode) {
          changes.addAll(container(path, container));
        }
      }
    }
    if (!byNode) {
      changes.addAll(client(pod.object("spec")));
    }
    return changes;
  }

  /** The client, which an init container brings. */
  private List<Object> client(Fields spec) {
    Map<String, Object> volume = Ordered.of("name", CLIENT, "emptyDir", Map.of());
    List<Object> inits = new ArrayList<>(List.of(init()));
    spec.objects("initContainers").forEach(one -> inits.add(one.values()));
    return List.of(
        add("/spec/volumes", with(spec.objects("volumes"), volume)),
        add("/spec/initContainers", inits));
  }

  /** A container that sees the client, and asks its node for nothing. */
  private static List<Object> container(String path, Fields container) {
    List<Object> changes = new ArrayList<>();
    Map<String, Object> mount = Ordered.of("name", CLIENT, "mountPath", HOME, "readOnly", true);
    changes.add(add(path + "/volumeMounts", with(container.objects("volumeMounts"), mount)));
    for (String kind : List.of("limits", "requests")) {
      if (container.object("resources").object(kind).names().contains(Words.RESOURCE)) {
        String key = Words.RESOURCE.replace("/", "~1");
        changes.add(Ordered.of("op", "remove", "path", path + "/resources/" + kind + "/" + key));
      }
    }
    return changes;
  }

  /** A variable that the container has itself stays. */
  private static List<Object> variables(
      List<Fields> own, List<String> secrets, String secret, boolean byNode) {
    List<Object> all = new ArrayList<>();
    List<String> there = own.stream().map(one -> one.text("name")).toList();
    for (Fields variable : own) {
      boolean leads = variable.text("name").equals(LIBRARIES) && !variable.text("value").isEmpty();
      all.add(
          leads
              ? variable(LIBRARIES, LOADING.get(LIBRARIES) + ":" + variable.text("value"))
              : variable.values());
    }
    for (String name : secrets) {
      if (!there.contains(name)) {
        Map<String, Object> key = Ordered.of("name", secret, "key", name);
        all.add(Ordered.of("name", name, "valueFrom", Map.of("secretKeyRef", key)));
      }
    }
    LOADING.forEach(
        (name, value) -> {
          if (!byNode && !there.contains(name)) {
            all.add(variable(name, value));
          }
        });
    return all;
  }

  private static Map<String, Object> variable(String name, String value) {
    return Ordered.of("name", name, "value", value);
  }

  /** It has no more rights than copying takes, so that policies of pods admit it. */
  private Map<String, Object> init() {
    Map<String, Object> few = Ordered.of("cpu", "100m", "memory", "64Mi");
    return Ordered.of(
        "name", CLIENT,
        "image", settings.image(),
        "imagePullPolicy", "IfNotPresent",
        "command", List.of("cp", "-r", HOME + "/.", STAGING),
        "volumeMounts", List.of(Ordered.of("name", CLIENT, "mountPath", STAGING)),
        "resources", Ordered.of("limits", few, "requests", few),
        "securityContext",
            Ordered.of(
                "allowPrivilegeEscalation", false,
                "readOnlyRootFilesystem", true,
                "capabilities", Map.of("drop", List.of("ALL"))));
  }

  private static List<Object> with(List<Fields> own, Object more) {
    List<Object> all = new ArrayList<>();
    own.forEach(one -> all.add(one.values()));
    all.add(more);
    return all;
  }

  private static Map<String, Object> add(String path, Object value) {
    return Ordered.of("op", "add", "path", path, "value", value);
  }
}
