import os
from datetime import datetime, timezone
from uuid import uuid4

from generated import AuthenticatedClient, models
from generated.api.customers import create_customer
from generated.api.events import get_event, submit_events
from generated.api.products import create_product
from generated.api.wallets import get_wallet

client = AuthenticatedClient(base_url=os.environ["BILLING_URL"], token=os.environ["BILLING_KEY"])

price = models.PriceInput(
    name="Call",
    type_=models.PriceInputType.USAGE_BASED,
    billing_model=models.BillingModelInput(type_=models.BillingModelInputType.REAL_TIME),
    usage_calculation=models.UsageCalculationInputType0(
        event_type="call", usage_type=models.UsageType.UNIT
    ),
    pricing=[
        models.PricingEntryInput(asset="USD", values=[models.PricingValueInput(unit_price=0.25)])
    ],
)
made = create_product.sync(
    client=client,
    body=models.ProductCreate(name="Calls", code="calls", publish=True, prices=[price]),
)
assert isinstance(made, models.ProductVersionCreated)
reference = models.SubscriptionProductInput(code=made.code, version=1)
customer = create_customer.sync(
    client=client,
    body=models.CustomerCreate(
        name="Acme", subscriptions=[models.SubscriptionCreate(products=[reference])]
    ),
)
assert isinstance(customer, models.CustomerCreated)


def balance() -> float:
    wallet = get_wallet.sync(customer.id, client=client)
    assert isinstance(wallet, models.Wallet)
    return next((each.available for each in wallet.accounts if each.asset == "USD"), 0)


def event() -> models.UsageEventInput:
    data = models.EventDataInputType0.from_dict({"model": "large", "tokens": 1200, "cached": True})
    now = datetime.now(timezone.utc)
    return models.UsageEventInput(id=uuid4(), event_type="call", occurred_at=now, data=data)


before = balance()
events = [event(), event()]
submit_events.sync_detailed(
    client=client, body=models.UsageEventSubmission(customer_id=customer.id, events=events)
)
stored = get_event.sync(str(events[0].id), client=client)
assert isinstance(stored, models.UsageEvent)
print(before, stored.fees[0].amount, stored.data["tokens"], balance())
