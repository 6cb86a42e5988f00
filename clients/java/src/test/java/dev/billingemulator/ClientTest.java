package dev.billingemulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(BillingEmulator.class)
class ClientTest {
  @Test
  void numbersKeepTheirDigitsInBothDirections(Sandbox sandbox) {
    String customer = create(sandbox, "createCustomer", Map.of("name", "Acme"));
    for (int number = 0; number < 3; number++) {
      var gift =
          Map.of(
              "transaction_id", "c4ed1700-0000-4000-8000-00000000000" + number,
              "asset", "USD",
              "amount", new BigDecimal("0.1000000001"),
              "reason", "gift");
      sandbox.operation("adjustWallet").with("customerId", customer).body(gift).send();
    }
    var wallet = sandbox.operation("getWallet").with("customerId", customer).send();
    assertEquals(new BigDecimal("0.3000000003"), wallet.at("/accounts/0/available").decimalValue());
  }

  @Test
  void aRejectionNamesEachField(Sandbox sandbox) {
    var call = sandbox.operation("createCustomer").body(Map.of("nam", "Acme"));
    var rejected = assertThrows(ApiException.class, call::send);
    assertEquals(422, rejected.status());
    assertEquals(
        """
        createCustomer returned 422: 2 fields are invalid.
          name: This field is required.
          nam: There is no such field. Did you mean name?""",
        rejected.getMessage());
    assertEquals("This field is required.", rejected.problem().at("/errors/name/0").asText());
  }

  @Test
  void mistakesAreFoundBeforeAnythingIsSent(Sandbox sandbox) {
    assertThrows(IllegalArgumentException.class, () -> sandbox.operation("createCustomr"));
    var call = sandbox.operation("getWallet");
    assertThrows(IllegalArgumentException.class, () -> call.with("customerid", "cust_1"));
    assertThrows(IllegalArgumentException.class, call::send);
  }

  @Test
  void aResponseWithoutBodySaysSo(Sandbox sandbox) {
    var call = sandbox.operation("getWallet").with("customerId", "cust_/unknown");
    var message = assertThrows(ApiException.class, call::send).getMessage();
    assertTrue(message.startsWith("getWallet returned 404: ") && !message.endsWith(": "), message);
  }

  @Test
  void noEmulatorIsNoRejection() {
    var client = new Client("http://127.0.0.1:9", "key_test_none", "");
    var error = assertThrows(UncheckedIOException.class, () -> client.operation("listCustomers"));
    assertTrue(error.getMessage().startsWith("No emulator responds at http://127.0.0.1:9 "), error.getMessage());
  }

  @Test
  void aConnectedAccountSeesItsOwnRecords(Sandbox sandbox) {
    String branch = create(sandbox, "createConnectedAccount", Map.of("name", "Branch"));
    String other = create(sandbox, "createConnectedAccount", Map.of("name", "Other"));
    sandbox.operation("createCustomer").body(Map.of("name", "Acme")).account(branch).send();
    assertEquals(1, sandbox.operation("listCustomers").account(branch).send().path("total_count").asInt());
    assertEquals(0, sandbox.operation("listCustomers").account(other).send().path("total_count").asInt());
  }

  @Test
  @Fixture("month-ends")
  void timeFaultsAndSnapshots(Sandbox sandbox) {
    Runnable restore = sandbox.snapshot();
    Instant start = sandbox.now();
    sandbox.advance("P1M");
    assertTrue(sandbox.now().isAfter(start));
    restore.run();
    assertEquals(start, sandbox.now());
    sandbox.addFault(Map.of("status", 503, "match", Map.of("operation", "listCustomers")));
    var call = sandbox.operation("listCustomers");
    assertEquals(503, assertThrows(ApiException.class, call::send).status());
    sandbox.clearFaults();
    assertFalse(call.send().path("items").isEmpty());
    sandbox.assertSound();
  }

  @Test
  @Fixture("quickstart")
  void aWebhookArrivesInTheInbox(Sandbox sandbox) {
    assertTrue(sandbox.receiveWebhooks().startsWith("whsec_"));
    var subscription =
        Map.of(
            "products", List.of(Map.of("code", "assistant")),
            "return_url", "https://example.com/paid",
            "failure_url", "https://example.com/not-paid");
    create(sandbox, "createCustomer", Map.of("name", "Acme", "subscriptions", List.of(subscription)));
    var message = sandbox.nextWebhook("subscription.activated");
    assertEquals("subscription.activated", message.at("/event/type").asText());
    assertTrue(message.at("/headers/service-signature").asText().startsWith("t="));
  }

  private static String create(Sandbox sandbox, String operation, Map<String, ?> body) {
    return sandbox.operation(operation).body(body).send().path("id").asText();
  }
}
