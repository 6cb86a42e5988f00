package dev.billingemulator;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** A world that shares nothing with others. Closing it deletes it. */
public final class Sandbox extends Client implements AutoCloseable {
  private final String name;
  private final Client owner;
  private long seen;

  Sandbox(Client owner, String name) {
    super(owner, "key_test_" + name);
    this.name = name;
    this.owner = owner;
  }

  /** The world's time. */
  public Instant now() {
    return Instant.parse(operation("getClock").send().path("now").asText());
  }

  /** Moves the clock forward by a duration such as P1M or 30d, and runs what becomes due on the way. */
  public JsonNode advance(String by) {
    return operation("advanceClock").body(Map.of("by", by)).send();
  }

  /** Adds a fault rule, such as {@code Map.of("status", 503, "match", Map.of("operation", "getWallet"))}. */
  public void addFault(Map<String, ?> rule) {
    operation("addFault").body(rule).send();
  }

  /** Removes all fault rules. */
  public void clearFaults() {
    operation("setFaults").body(Map.of("rules", List.of())).send();
  }

  /** Has the world's webhook events sent to an inbox of the emulator. Returns the secret that signs them. */
  public String receiveWebhooks() {
    var destination = Map.of("url", url() + "/_emulator/inbox/" + name, "topics", List.of("*"));
    return operation("createWebhook").body(destination).send().path("secret").asText();
  }

  /**
   * Returns the oldest event of a topic that it has not returned yet, waiting up to ten seconds for it: {@code event},
   * and {@code body} and {@code headers} as they were sent.
   */
  public JsonNode nextWebhook(String topic) {
    String wanted = URLEncoder.encode(topic, StandardCharsets.UTF_8);
    String query = "?after=" + seen + "&timeout_seconds=10&topic=" + wanted;
    JsonNode message = get("/_emulator/inbox/" + name + "/wait" + query).path("items").path(0);
    seen = message.path("number").asLong();
    return message;
  }

  /** Returns how a fee, or everything from a usage event, came about, step by step. */
  public JsonNode explain(String id) {
    return operation("explain").with("id", id).send();
  }

  /** Saves the world. Returns what restores that state, any number of times. */
  public Runnable snapshot() {
    operation("saveSnapshot").body(Map.of("name", "before")).send();
    return () -> operation("resetWorld").body(Map.of("to", "snapshot", "name", "before")).send();
  }

  /** @throws AssertionError that says what is broken, if an invariant of the ledger does not hold */
  public void assertSound() {
    JsonNode report = operation("verifyLedger").send();
    if (!report.path("sound").asBoolean()) throw new AssertionError(report.path("findings").toPrettyString());
  }

  /** Returns the latest requests with their responses, and the warnings, to print when a test fails. */
  public String report() {
    List<JsonNode> requests = new ArrayList<>();
    operation("listRequests").with("limit", 50).send().path("items").forEach(requests::add);
    Collections.reverse(requests);
    List<String> lines = new ArrayList<>();
    for (JsonNode request : requests) {
      lines.add(
          request.path("method").asText() + " " + request.path("path").asText() + " " + request.path("status"));
      for (String body : List.of("request_body", "response_body")) {
        String text = request.path(body).toString();
        if (!text.isEmpty()) lines.add("    " + text.substring(0, Math.min(text.length(), 500)));
      }
    }
    for (JsonNode warning : operation("listWarnings").send().path("items"))
      lines.add("warning " + warning.path("kind").asText() + ": " + warning.path("message").asText());
    return String.join("\n", lines);
  }

  /** Deletes it with everything in it. */
  @Override
  public void close() {
    owner.operation("deleteSandbox").with("name", name).with("final", true).send();
  }
}
