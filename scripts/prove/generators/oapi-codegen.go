package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"

	"flow/generated"

	"github.com/google/uuid"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	withKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("BILLING_KEY"))
		return nil
	}
	client := must(generated.NewClientWithResponses(os.Getenv("BILLING_URL"), generated.WithRequestEditorFn(withKey)))

	unitPrice, publish := 0.25, true
	made := must(client.CreateProductWithResponse(ctx, generated.ProductCreate{
		Name: "Calls", Code: "calls", Publish: &publish,
		Prices: []generated.PriceInput{{
			Name:         "Call",
			Type:         generated.PriceInputTypeUsageBased,
			BillingModel: generated.BillingModelInput{Type: generated.BillingModelInputTypeRealTime},
			UsageCalculation: &generated.UsageCalculationInput{
				EventType: "call", UsageType: generated.UsageTypeUnit,
			},
			Pricing: []generated.PricingEntryInput{{
				Asset: "USD", Values: []generated.PricingValueInput{{UnitPrice: &unitPrice}},
			}},
		}},
	}))
	var version generated.VersionSelector
	must(0, version.FromVersionNumber(1))
	customer := must(client.CreateCustomerWithResponse(ctx, generated.CustomerCreate{
		Name: "Acme",
		Subscriptions: &[]generated.SubscriptionCreate{{
			Products: []generated.SubscriptionProductInput{{Code: &made.JSON201.Code, Version: &version}},
		}},
	}))
	id := customer.JSON201.Id
	balance := func() float64 {
		for _, account := range must(client.GetWalletWithResponse(ctx, id)).JSON200.Accounts {
			if account.Asset == "USD" {
				return account.Available
			}
		}
		return 0
	}

	var model, tokens, cached generated.EventValueInput
	must(0, model.FromEventText("large"))
	must(0, tokens.FromEventNumberInput(1200))
	must(0, cached.FromEventFlag(true))
	data := generated.EventDataInput{"model": model, "tokens": tokens, "cached": cached}
	event := func() generated.UsageEventInput {
		return generated.UsageEventInput{Id: uuid.New(), EventType: "call", OccurredAt: time.Now(), Data: &data}
	}
	before := balance()
	events := []generated.UsageEventInput{event(), event()}
	must(client.SubmitEventsWithResponse(ctx, generated.UsageEventSubmission{CustomerId: &id, Events: events}))
	stored := must(client.GetEventWithResponse(ctx, events[0].Id.String())).JSON200
	fmt.Println(before, stored.Fees[0].Amount, must((*stored.Data)["tokens"].AsEventNumber()), balance())
}
