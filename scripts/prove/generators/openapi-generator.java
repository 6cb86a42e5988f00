import generated.*;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.UUID;

public class Flow {
  public static void main(String[] arguments) throws ApiException {
    ApiClient client = new ApiClient().setBasePath(System.getenv("BILLING_URL"));
    client.setBearerToken(System.getenv("BILLING_KEY"));

    PriceInput price = new PriceInput()
        .name("Call")
        .type(PriceInput.TypeEnum.USAGE_BASED)
        .billingModel(new BillingModelInput().type(BillingModelInput.TypeEnum.REAL_TIME))
        .usageCalculation(new UsageCalculationInput().eventType("call").usageType(UsageType.UNIT))
        .addPricingItem(new PricingEntryInput()
            .asset("USD")
            .addValuesItem(new PricingValueInput().unitPrice(0.25)));
    String code = new ProductsApi(client)
        .createProduct(new ProductCreate().name("Calls").code("calls").publish(true).addPricesItem(price))
        .getCode();
    SubscriptionProductInput reference =
        new SubscriptionProductInput().code(code).version(new VersionSelector(1));
    String customer = new CustomersApi(client)
        .createCustomer(new CustomerCreate()
            .name("Acme")
            .addSubscriptionsItem(new SubscriptionCreate().addProductsItem(reference)))
        .getId();

    WalletsApi wallets = new WalletsApi(client);
    double before = balance(wallets, customer);
    List<UsageEventInput> events = List.of(event(), event());
    EventsApi api = new EventsApi(client);
    api.submitEvents(new UsageEventSubmission().customerId(customer).events(events));
    UsageEvent stored = api.getEvent(events.get(0).getId().toString());
    System.out.println(before
        + " " + stored.getFees().get(0).getAmount()
        + " " + stored.getData().get("tokens").getDouble()
        + " " + balance(wallets, customer));
  }

  private static double balance(WalletsApi wallets, String customer) throws ApiException {
    return wallets.getWallet(customer).getAccounts().stream()
        .filter(each -> each.getAsset().equals("USD"))
        .mapToDouble(each -> each.getAvailable())
        .sum();
  }

  private static UsageEventInput event() {
    return new UsageEventInput()
        .id(UUID.randomUUID())
        .eventType("call")
        .occurredAt(OffsetDateTime.now())
        .data(Map.of(
            "model", new EventValueInput("large"),
            "tokens", new EventValueInput(1200.0),
            "cached", new EventValueInput(true)));
  }
}
