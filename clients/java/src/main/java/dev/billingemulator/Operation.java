package dev.billingemulator;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Where an operation is, and the parameters of its query. */
record Operation(String method, String path, Set<String> query) {
  private static final List<String> METHODS = List.of("get", "put", "post", "patch", "delete");

  static void addAll(JsonNode document, Map<String, Operation> operations) {
    for (var path : document.path("paths").properties())
      for (String method : METHODS) {
        JsonNode described = path.getValue().path(method);
        if (described.isMissingNode()) continue;
        Set<String> query = new TreeSet<>();
        for (JsonNode owner : List.of(path.getValue(), described))
          for (JsonNode parameter : owner.path("parameters")) {
            JsonNode resolved = resolve(document, parameter);
            if (resolved.path("in").asText().equals("query")) query.add(resolved.path("name").asText());
          }
        String id = described.path("operationId").asText();
        operations.put(id, new Operation(method.toUpperCase(), path.getKey(), query));
      }
  }

  private static JsonNode resolve(JsonNode document, JsonNode node) {
    String reference = node.path("$ref").asText();
    return reference.isEmpty() ? node : document.at(reference.substring(1));
  }
}
