package billingtest_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	billingemulator "example.com/billing-emulator/go"
	"example.com/billing-emulator/go/billingtest"
)

type (
	object  = map[string]any
	request = billingemulator.Request
)

func TestNumbersKeepTheirDigitsInBothDirections(t *testing.T) {
	sandbox := billingtest.New(t)
	path := object{"customerId": sandbox.Must("createCustomer", request{Body: object{"name": "Acme"}})["id"]}
	for _, last := range []string{"0", "1", "2"} {
		sandbox.Must("adjustWallet", request{Parameters: path, Body: object{
			"transaction_id": "c4ed1700-0000-4000-8000-00000000000" + last,
			"asset":          "USD",
			"amount":         json.Number("0.1000000001"),
			"reason":         "gift",
		}})
	}
	account := sandbox.Must("getWallet", request{Parameters: path})["accounts"].([]any)[0].(object)
	if account["available"] != json.Number("0.3000000003") {
		t.Errorf("The balance is %v.", account["available"])
	}
}

func TestRejectionNamesEachField(t *testing.T) {
	_, err := billingtest.New(t).Call("createCustomer", request{Body: object{"nam": "Acme"}})
	var rejected *billingemulator.APIError
	if !errors.As(err, &rejected) || rejected.Status != 422 {
		t.Fatal(err)
	}
	expected := strings.Join([]string{
		"createCustomer returned 422: 2 fields are invalid.",
		"  nam: There is no such field. Did you mean name?",
		"  name: This field is required.",
	}, "\n")
	if err.Error() != expected {
		t.Error(err)
	}
}

func TestMistakesAreFoundBeforeAnythingIsSent(t *testing.T) {
	sandbox := billingtest.New(t)
	for operation, parameters := range map[string]object{
		"createCustomr": nil,
		"getWallet":     {"customerid": "cust_1"},
		"getCustomer":   nil,
	} {
		_, err := sandbox.Call(operation, request{Parameters: parameters})
		var rejected *billingemulator.APIError
		if err == nil || errors.As(err, &rejected) {
			t.Errorf("%s: %v", operation, err)
		}
	}
}

func TestResponseWithoutBodySaysWhatItsStatusMeans(t *testing.T) {
	_, err := billingtest.New(t).Call("getWallet", request{Parameters: object{"customerId": "cust_/unknown"}})
	if err == nil || !strings.HasPrefix(err.Error(), "getWallet returned 404: ") || strings.HasSuffix(err.Error(), ": ") {
		t.Error(err)
	}
}

func TestNoEmulatorIsNoRejection(t *testing.T) {
	client := billingemulator.Client{URL: "http://127.0.0.1:9", Key: "key_test_none"}
	if _, err := client.Call("listCustomers", request{}); err == nil || !strings.Contains(err.Error(), "no emulator answers") {
		t.Error(err)
	}
}

func TestConnectedAccountSeesItsOwnRecords(t *testing.T) {
	sandbox := billingtest.New(t)
	branch := sandbox.Must("createConnectedAccount", request{Body: object{"name": "Branch"}})["id"].(string)
	other := sandbox.Must("createConnectedAccount", request{Body: object{"name": "Other"}})["id"].(string)
	sandbox.Must("createCustomer", request{Body: object{"name": "Acme"}, Account: branch})
	for account, expected := range map[string]json.Number{branch: "1", other: "0"} {
		if found := sandbox.Must("listCustomers", request{Account: account})["total_count"]; found != expected {
			t.Errorf("%s has %v.", account, found)
		}
	}
}

func TestTimeFaultsAndSnapshots(t *testing.T) {
	sandbox := billingtest.New(t, billingtest.WithFixture("month-ends"))
	restore, start := sandbox.Snapshot(), sandbox.Now()
	sandbox.Advance("P1M")
	if !sandbox.Now().After(start) {
		t.Error("The clock did not move.")
	}
	restore()
	if !sandbox.Now().Equal(start) {
		t.Error("The clock is not restored.")
	}
	sandbox.AddFault(object{"status": 503, "match": object{"operation": "listCustomers"}})
	if _, err := sandbox.Call("listCustomers", request{}); err == nil || !strings.Contains(err.Error(), "503") {
		t.Error(err)
	}
	sandbox.ClearFaults()
	sandbox.Must("listCustomers", request{})
	sandbox.AssertSound()
}

func TestWebhookArrivesInTheInbox(t *testing.T) {
	sandbox := billingtest.New(t, billingtest.WithFixture("quickstart"))
	sandbox.ReceiveWebhooks()
	sandbox.Must("createCustomer", request{Body: object{"name": "Acme", "subscriptions": []object{{
		"products":    []object{{"code": "assistant"}},
		"return_url":  "https://example.com/paid",
		"failure_url": "https://example.com/not-paid",
	}}}})
	webhook := sandbox.NextWebhook("subscription.activated")
	if webhook.Event["type"] != "subscription.activated" || webhook.Headers["service-signature"] == "" {
		t.Error(webhook)
	}
}
