from decimal import Decimal

import pytest

from billing_emulator import ApiError, Client, UnreachableError


def test_numbers_keep_their_digits_in_both_directions(sandbox):
    customer = sandbox.call("createCustomer", {"name": "Acme"})
    for number in range(3):
        gift = {"transaction_id": f"c4ed1700-0000-4000-8000-00000000000{number}", "asset": "USD", "reason": "gift"}
        sandbox.call("adjustWallet", {**gift, "amount": Decimal("0.1000000001")}, customerId=customer["id"])
    wallet = sandbox.call("getWallet", customerId=customer["id"])
    assert wallet["accounts"][0]["available"] == Decimal("0.3000000003")


def test_a_rejection_names_each_field_and_the_nearest_name(sandbox):
    with pytest.raises(ApiError) as caught:
        sandbox.call("createCustomer", {"nam": "Acme"})
    assert caught.value.status == 422
    assert str(caught.value).split("\n") == [
        "createCustomer returned 422: 2 fields are invalid.",
        "  name: This field is required.",
        "  nam: There is no such field. Did you mean name?",
    ]
    assert caught.value.problem["errors"]["name"] == ["This field is required."]


def test_a_wrong_operation_or_parameter_is_found_before_anything_is_sent(sandbox):
    with pytest.raises(TypeError, match="no operation createCustomr. Did you mean createCustomer?"):
        sandbox.call("createCustomr")
    with pytest.raises(TypeError, match="no parameter customerid. Did you mean customerId?"):
        sandbox.call("getWallet", customerid="cust_1")
    with pytest.raises(TypeError, match="getWallet needs customerId"):
        sandbox.call("getWallet")


def test_a_response_without_a_body_says_what_its_status_means(sandbox):
    with pytest.raises(ApiError, match="getWallet returned 404: "):
        sandbox.call("getWallet", customerId="cust_/unknown")


def test_no_emulator_is_told_apart_from_a_rejection():
    with pytest.raises(UnreachableError, match="No emulator responds at http://127.0.0.1:9 "):
        Client("http://127.0.0.1:9", "key_test_none").call("listCustomers")


def test_a_connected_account_sees_its_own_records(sandbox):
    account = sandbox.call("createConnectedAccount", {"name": "Branch"})
    sandbox.call("createCustomer", {"name": "Acme"}, account=account["id"])
    assert sandbox.call("listCustomers", account=account["id"])["total_count"] == 1
    other = sandbox.call("createConnectedAccount", {"name": "Other"})
    assert sandbox.call("listCustomers", account=other["id"])["total_count"] == 0


@pytest.mark.billing_fixture("month-ends")
def test_time_faults_webhooks_and_snapshots(sandbox):
    secret = sandbox.receive_webhooks()
    assert secret.startswith("whsec_")
    before, start = sandbox.snapshot(), sandbox.now()
    sandbox.advance("P1M")
    assert sandbox.now().month != start.month
    before.restore()
    assert sandbox.now() == start
    sandbox.add_fault({"status": 503}, operation="listCustomers")
    with pytest.raises(ApiError, match="listCustomers returned 503"):
        sandbox.call("listCustomers")
    sandbox.clear_faults()
    assert sandbox.call("listCustomers", limit=1)["limit"] == 1


@pytest.mark.billing_fixture("quickstart")
def test_a_webhook_event_arrives_in_the_inbox_with_its_signature(sandbox):
    sandbox.receive_webhooks()
    urls = {"return_url": "https://example.com/paid", "failure_url": "https://example.com/not-paid"}
    subscription = {"products": [{"code": "assistant"}], **urls}
    sandbox.call("createCustomer", {"name": "Acme", "subscriptions": [subscription]})
    message = sandbox.next_webhook("subscription.activated")
    assert message["event"]["type"] == "subscription.activated"
    assert message["headers"]["service-signature"].startswith("t=")
    with pytest.raises(ApiError, match="next_webhook returned 408"):
        sandbox.next_webhook("subscription.activated", timeout_seconds=0)
