import os
from datetime import datetime, timezone
from uuid import uuid4

from generated import (
    ApiClient,
    BillingModelInput,
    Configuration,
    CustomerCreate,
    CustomersApi,
    EventsApi,
    EventValueInput,
    PriceInput,
    PricingEntryInput,
    PricingValueInput,
    ProductCreate,
    ProductsApi,
    SubscriptionCreate,
    SubscriptionProductInput,
    UsageCalculationInput,
    UsageEventInput,
    UsageEventSubmission,
    VersionSelector,
    WalletsApi,
)

client = ApiClient(
    Configuration(host=os.environ["BILLING_URL"], access_token=os.environ["BILLING_KEY"])
)

price = PriceInput(
    name="Call",
    type="usage_based",
    billing_model=BillingModelInput(type="real_time"),
    usage_calculation=UsageCalculationInput(event_type="call", usage_type="unit"),
    pricing=[PricingEntryInput(asset="USD", values=[PricingValueInput(unit_price=0.25)])],
)
made = ProductsApi(client).create_product(
    ProductCreate(name="Calls", code="calls", publish=True, prices=[price])
)
reference = SubscriptionProductInput(code=made.code, version=VersionSelector(1))
customer = CustomersApi(client).create_customer(
    CustomerCreate(name="Acme", subscriptions=[SubscriptionCreate(products=[reference])])
)


def balance() -> float:
    accounts = WalletsApi(client).get_wallet(customer.id).accounts
    return next((each.available for each in accounts if each.asset == "USD"), 0)


def event() -> UsageEventInput:
    values = {"model": "large", "tokens": 1200, "cached": True}
    data = {name: EventValueInput(value) for name, value in values.items()}
    now = datetime.now(timezone.utc)
    return UsageEventInput(id=uuid4(), event_type="call", occurred_at=now, data=data)


before = balance()
events = [event(), event()]
api = EventsApi(client)
api.submit_events(UsageEventSubmission(customer_id=customer.id, events=events))
stored = api.get_event(str(events[0].id))
print(before, stored.fees[0].amount, stored.data["tokens"].actual_instance, balance())
