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

func must[T any](value T, _ *http.Response, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	configuration := generated.NewConfiguration()
	configuration.Servers = generated.ServerConfigurations{{URL: os.Getenv("BILLING_URL")}}
	client := generated.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), generated.ContextAccessToken, os.Getenv("BILLING_KEY"))

	value := generated.NewPricingValueInput()
	value.SetUnitPrice(0.25)
	price := generated.NewPriceInput("Call", "usage_based", *generated.NewBillingModelInput("real_time"),
		[]generated.PricingEntryInput{*generated.NewPricingEntryInput("USD", []generated.PricingValueInput{*value})})
	price.SetUsageCalculation(*generated.NewUsageCalculationInput("call", generated.UNIT))
	product := generated.NewProductCreate("Calls", "calls", []generated.PriceInput{*price})
	product.SetPublish(true)
	made := must(client.ProductsAPI.CreateProduct(ctx).ProductCreate(*product).Execute())

	version := int32(1)
	reference := generated.NewSubscriptionProductInput()
	reference.SetCode(made.GetCode())
	reference.SetVersion(generated.VersionSelector{Int32: &version})
	customer := generated.NewCustomerCreate("Acme")
	customer.SetSubscriptions([]generated.SubscriptionCreate{
		*generated.NewSubscriptionCreate([]generated.SubscriptionProductInput{*reference}),
	})
	id := must(client.CustomersAPI.CreateCustomer(ctx).CustomerCreate(*customer).Execute()).GetId()
	balance := func() float64 {
		for _, account := range must(client.WalletsAPI.GetWallet(ctx, id).Execute()).GetAccounts() {
			if account.GetAsset() == "USD" {
				return account.GetAvailable()
			}
		}
		return 0
	}

	model, tokens, cached := "large", 1200.0, true
	event := func() generated.UsageEventInput {
		event := generated.NewUsageEventInput(uuid.NewString(), "call", time.Now())
		event.SetData(map[string]generated.EventValueInput{
			"model":  generated.StringAsEventValueInput(&model),
			"tokens": generated.Float64AsEventValueInput(&tokens),
			"cached": generated.BoolAsEventValueInput(&cached),
		})
		return *event
	}
	before := balance()
	events := []generated.UsageEventInput{event(), event()}
	submission := generated.NewUsageEventSubmission(events)
	submission.SetCustomerId(id)
	if _, err := client.EventsAPI.SubmitEvents(ctx).UsageEventSubmission(*submission).Execute(); err != nil {
		panic(err)
	}
	stored := must(client.EventsAPI.GetEvent(ctx, events[0].GetId()).Execute())
	fmt.Println(before, stored.GetFees()[0].GetAmount(), *stored.GetData()["tokens"].Float64, balance())
}
