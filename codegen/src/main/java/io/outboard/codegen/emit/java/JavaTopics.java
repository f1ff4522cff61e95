// SPDX-License-Identifier: Apache-2.0
package io.outboard.codegen.emit.java;

import io.outboard.codegen.emit.text.Code;
import io.outboard.codegen.emit.text.Emitter;
import io.outboard.codegen.emit.text.Notice;
import io.outboard.codegen.model.Function;
import io.outboard.codegen.model.Library;
import java.util.List;
import java.util.Locale;

/** A driver put together from one object a topic, from which nothing escapes but results. */
public final class JavaTopics implements Emitter {
  @Override
  public String emit(Library library) {
    List<String> topics =
        library.calls().stream().map(Function::topic).distinct().sorted().toList();
    Code code = Code.java().add(Notice.java(library));
    code.add(
        """

        /**
         * A {@link %1$s} put together from its topics. It is a table: every call is handed to its topic, and what
         * is thrown there becomes a result.
         */
        %2$s
        public abstract class %1$sTopics implements %1$s {
        """,
        library.interfaceName(), Notice.annotation(library));
    topics.forEach(topic -> code.add("private final %s %s;", topic, field(topic)));
    code.add("\n/** Hands the calls of each topic to its object. */");
    code.add(
        "protected %sTopics(%s) {",
        library.interfaceName(),
        String.join(", ", topics.stream().map(topic -> topic + " " + field(topic)).toList()));
    topics.forEach(topic -> code.add("this.%1$s = %1$s;", field(topic)));
    code.add(
        """
        }

        /** The result of a call that threw. */
        protected abstract int thrown(Throwable failure);
        """);
    library.calls().forEach(function -> method(code, function));
    return code.add("}").toString();
  }

  private static void method(Code code, Function function) {
    code.add(JavaMethods.head(function));
    code.add(
        """
        try {
        return %s.%s(%s);
        } catch (Throwable failure_) {
        return thrown(failure_);
        }
        }
        """,
        field(function.topic()), function.name(), JavaMethods.arguments(function));
  }

  /** Ends in an underscore, as no parameter's name does. */
  private static String field(String topic) {
    return topic.substring(0, 1).toLowerCase(Locale.ROOT) + topic.substring(1) + "_";
  }
}
