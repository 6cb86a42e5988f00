package dev.billingemulator;

import com.fasterxml.jackson.databind.JsonNode;

/** A response with an error status. The message has the emulator's reasons, by field. */
public final class ApiException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final transient JsonNode problem;

  ApiException(String operation, int status, JsonNode problem, String hint) {
    super(operation + " returned " + status + ": " + reasons(problem, hint));
    this.status = status;
    this.problem = problem;
  }

  public int status() {
    return status;
  }

  /** The problem details; a missing node where the body has none. */
  public JsonNode problem() {
    return problem;
  }

  private static String reasons(JsonNode problem, String hint) {
    StringBuilder text =
        new StringBuilder(problem.path("detail").asText(problem.path("title").asText(hint)));
    for (var field : problem.path("errors").properties())
      for (JsonNode finding : field.getValue())
        text.append("\n  ").append(field.getKey()).append(": ").append(finding.asText());
    return text.toString();
  }
}
