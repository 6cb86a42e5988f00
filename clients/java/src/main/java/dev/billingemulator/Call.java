package dev.billingemulator;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** A call of an operation that is being put together. */
public final class Call {
  private final Client client;
  private final String id;
  private final Operation operation;
  private final Map<String, String> query = new TreeMap<>();
  private String path;
  private Object body;
  private Map<String, String> headers = Map.of();

  Call(Client client, String id, Operation operation) {
    this.client = client;
    this.id = id;
    this.operation = operation;
    this.path = operation.path();
  }

  /**
   * Sets a parameter of the path or of the query.
   *
   * @throws IllegalArgumentException if the operation has no such parameter
   */
  public Call with(String name, Object value) {
    String text = URLEncoder.encode(value.toString(), StandardCharsets.UTF_8).replace("+", "%20");
    if (path.contains("{" + name + "}")) path = path.replace("{" + name + "}", text);
    else if (operation.query().contains(name)) query.put(name, text);
    else
      throw new IllegalArgumentException(
          id + " has no parameter " + name + "; it is " + operation.path() + ", with " + operation.query() + ".");
    return this;
  }

  /** Sets the body: what Jackson writes as JSON, such as a {@code Map}. */
  public Call body(Object value) {
    body = value;
    return this;
  }

  /** Sets the connected account that the call acts for. */
  public Call account(String accountId) {
    headers = Map.of(client.documents().accountHeader(), accountId);
    return this;
  }

  /**
   * Returns the body of the response, a missing node where it is empty. Numbers with a fraction are {@code BigDecimal}.
   *
   * @throws ApiException for an error status
   * @throws IllegalArgumentException if a parameter of the path is missing
   * @throws java.io.UncheckedIOException if no emulator responds
   */
  public JsonNode send() {
    if (path.contains("{")) throw new IllegalArgumentException(id + " needs the parameters of " + path + ".");
    var asked = query.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue()).toList();
    String address = asked.isEmpty() ? path : path + "?" + String.join("&", asked);
    return client.send(id, operation.method(), address, body, headers);
  }
}
