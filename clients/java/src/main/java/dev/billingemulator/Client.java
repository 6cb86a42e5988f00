package dev.billingemulator;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.TreeMap;

/** One world of a running emulator: the one that the key opens. Calls any operation by its id. */
public class Client {
  /** Reads and writes JSON with every digit of its numbers. */
  static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final String url;
  private final String key;
  private final String adminToken;
  private Documents documents;

  /**
   * @param url address of the emulator, such as {@code http://127.0.0.1:24100}
   * @param key opens the world, such as {@code key_test_mine}
   * @param adminToken empty unless the emulator asks for one
   */
  public Client(String url, String key, String adminToken) {
    this.url = url.replaceAll("/$", "");
    this.key = key;
    this.adminToken = adminToken;
  }

  /** The world of another key, without reading the documents again. */
  Client(Client other, String key) {
    this(other.url, key, other.adminToken);
    this.documents = other.documents();
  }

  public final String url() {
    return url;
  }

  public final String key() {
    return key;
  }

  /**
   * A call of an operation of the service or of the control API, to be sent with {@link Call#send}.
   *
   * @throws IllegalArgumentException for an operation that does not exist
   */
  public final Call operation(String id) {
    Operation found = documents().operations().get(id);
    if (found == null) throw new IllegalArgumentException("There is no operation " + id + ".");
    return new Call(this, id, found);
  }

  /** Reads a path of the emulator that belongs to no operation, such as that of an inbox. */
  public final JsonNode get(String path) {
    return send("GET " + path, "GET", path, null, Map.of());
  }

  final JsonNode send(String id, String method, String path, Object body, Map<String, String> headers) {
    var request = HttpRequest.newBuilder(URI.create(url + path)).header("Authorization", "Bearer " + key);
    if (!adminToken.isEmpty()) request.header("X-Emulator-Admin", adminToken);
    headers.forEach(request::header);
    try {
      if (body == null) request.method(method, BodyPublishers.noBody());
      else
        request
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body)));
      var response = HTTP.send(request.build(), BodyHandlers.ofString());
      String text = response.body();
      if (response.statusCode() < 300) return text.isEmpty() ? MissingNode.getInstance() : JSON.readTree(text);
      String reason = text.isEmpty() ? "the body is empty" : text;
      String hint = response.headers().firstValue("X-Emulator-Hint").orElse(reason);
      JsonNode problem = text.startsWith("{") ? JSON.readTree(text) : MissingNode.getInstance();
      throw new ApiException(id, response.statusCode(), problem, hint);
    } catch (IOException error) {
      throw new UncheckedIOException("No emulator responds at " + url + " (" + error + ").", error);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("The call of " + id + " was interrupted.", error);
    }
  }

  final synchronized Documents documents() {
    if (documents == null) {
      Map<String, Operation> operations = new TreeMap<>();
      JsonNode service = get("/openapi.json");
      Operation.addAll(service, operations);
      Operation.addAll(get("/_emulator/docs/control.json"), operations);
      String header = service.at("/components/securitySchemes/actingAccount/name").asText();
      documents = new Documents(operations, header);
    }
    return documents;
  }

  /** What the emulator's own documents say of its operations. */
  record Documents(Map<String, Operation> operations, String accountHeader) {}
}
