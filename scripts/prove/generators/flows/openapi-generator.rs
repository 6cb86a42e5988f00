use std::{collections::HashMap, env::var, error::Error};

use generated::apis::{
    configuration::Configuration, customers_api, events_api, products_api, wallets_api,
};
use generated::models::*;

fn balance(client: &Configuration, customer: &str) -> Result<f64, Box<dyn Error>> {
    let accounts = wallets_api::get_wallet(client, customer)?.accounts;
    Ok(accounts
        .iter()
        .find(|each| each.asset == "USD")
        .map_or(0.0, |each| each.available))
}

fn event() -> UsageEventInput {
    let mut event = UsageEventInput::new(
        uuid::Uuid::new_v4(),
        "call".into(),
        chrono::Utc::now().into(),
    );
    event.data = Some(Some(HashMap::from([
        ("model".into(), EventValueInput::EventText("large".into())),
        ("tokens".into(), EventValueInput::EventNumberInput(1200.0)),
        ("cached".into(), EventValueInput::EventFlag(true)),
    ])));
    event
}

fn main() -> Result<(), Box<dyn Error>> {
    let client = Configuration {
        base_path: var("BILLING_URL")?,
        bearer_access_token: Some(var("BILLING_KEY")?),
        ..Default::default()
    };

    let value = PricingValueInput {
        unit_price: Some(Some(0.25)),
        ..Default::default()
    };
    let mut price = PriceInput::new(
        "Call".into(),
        price_input::Type::UsageBased,
        BillingModelInput::new(billing_model_input::Type::RealTime),
        vec![PricingEntryInput::new("USD".into(), vec![value])],
    );
    let usage = UsageCalculationInput::new("call".into(), UsageType::Unit);
    price.usage_calculation = Some(Some(Box::new(usage)));
    let mut product = ProductCreate::new("Calls".into(), "calls".into(), vec![price]);
    product.publish = Some(Some(true));
    let code = products_api::create_product(&client, product)?.code;

    let reference = SubscriptionProductInput {
        code: Some(Some(code)),
        version: Some(Some(Box::new(VersionSelector::VersionNumber(1)))),
        ..Default::default()
    };
    let mut customer = CustomerCreate::new("Acme".into());
    customer.subscriptions = Some(Some(vec![SubscriptionCreate::new(vec![reference])]));
    let id = customers_api::create_customer(&client, customer)?.id;

    let before = balance(&client, &id)?;
    let events = vec![event(), event()];
    let first = events[0].id.to_string();
    let mut submission = UsageEventSubmission::new(events);
    submission.customer_id = Some(Some(id.clone()));
    events_api::submit_events(&client, submission)?;
    let stored = events_api::get_event(&client, &first)?;
    let data = stored.data.ok_or("no data")?;
    let Some(EventValue::EventNumber(tokens)) = data.get("tokens") else {
        return Err("no tokens".into());
    };
    println!(
        "{before} {} {tokens} {}",
        stored.fees[0].amount,
        balance(&client, &id)?
    );
    Ok(())
}
