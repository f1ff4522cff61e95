// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu.run;

import java.util.LinkedHashMap;
import java.util.Map;

/** Reads the figures of a program that has run. */
enum Reading {
  /** The lines of JSON that it prints. */
  LINES {
    @Override
    void read(
        Piece piece, Execution execution, Map<String, Double> figures, Map<String, String> notes) {
      for (Line line : Line.parse(execution.out())) {
        if (line.value() != null) {
          figures.put(line.figure(), line.value());
        }
        if (line.note() != null) {
          notes.put(line.figure(), line.note());
        }
      }
    }
  },
  /** How long it ran, seconds. */
  SECONDS {
    @Override
    void read(
        Piece piece, Execution execution, Map<String, Double> figures, Map<String, String> notes) {
      if (!execution.failed()) {
        figures.put(piece.name(), execution.seconds());
      }
    }
  },
  /** The text that it prints. */
  TEXT {
    @Override
    void read(
        Piece piece, Execution execution, Map<String, Double> figures, Map<String, String> notes) {
      notes.put(piece.name(), execution.out().strip());
    }
  },
  /** The round trips of its report: of each function, and under the piece's name of all. */
  REPORT {
    @Override
    void read(
        Piece piece, Execution execution, Map<String, Double> figures, Map<String, String> notes) {
      CallReport report = CallReport.parse(execution.err());
      figures.putAll(report.roundTrips());
      figures.put(piece.name(), report.all());
    }
  };

  /** The note with what a program that failed said last. */
  private static final String STANDARD_ERROR = "standard error";

  abstract void read(
      Piece piece, Execution execution, Map<String, Double> figures, Map<String, String> notes);

  /** Returns the figures of a run; a program that fails may have measured something before. */
  Run of(Piece piece, int round, Way way, Execution execution) {
    Map<String, Double> figures = new LinkedHashMap<>();
    Map<String, String> notes = new LinkedHashMap<>();
    String failure = execution.failed() ? execution.reason() : null;
    try {
      read(piece, execution, figures, notes);
    } catch (IllegalArgumentException e) {
      failure = e.getMessage();
    }
    if (failure != null) {
      notes.put(STANDARD_ERROR, execution.lastWords());
    }
    return new Run(0, piece.group(), piece.name(), round, way.name(), figures, notes, failure);
  }
}
