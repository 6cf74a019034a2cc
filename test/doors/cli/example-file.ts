/** The import file of the contract, with one format, one product and what is opened. */
export const EXAMPLE_FILE = {
  organizations: [
    { slug: "acme-audio", name: "Acme Audio", time_zone: "Europe/Berlin" },
    { slug: "brand-co", name: "Brand Co" },
  ],
  users: [{ email: "a@example.com", name: "A", organization: "acme-audio", role: "admin" }],
  campaigns: [
    {
      slug: "autumn",
      name: "Autumn",
      buyer: "brand-co",
      lines: [
        {
          package_id: "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01",
          seller: "acme-audio",
          name: "Pre-roll",
          pricing_basis: "impressions",
          flight_start: "2026-11-01",
          flight_end: "2026-12-31",
          booked: 500_000,
          rate: 12.5,
          currency: "EUR",
        },
      ],
    },
  ],
  formats: [{ format_id: { id: "acme_cover" }, name: "Cover of the magazine" }],
  products: [
    {
      product_id: "p1",
      name: "Morning show pre-roll",
      description: "Thirty seconds before the morning show.",
      publisher_properties: [{ publisher_domain: "acme-audio.example", selection_type: "all" }],
      channels: ["podcast"],
      format_ids: [{ id: "acme_cover" }],
      delivery_type: "guaranteed",
      pricing_options: [{ pricing_option_id: "cpm", pricing_model: "cpm", currency: "EUR", fixed_price: 12.5 }],
      reporting_capabilities: {
        available_reporting_frequencies: ["daily"],
        expected_delay_minutes: 60,
        timezone: "Europe/Berlin",
        supports_webhooks: false,
        available_metrics: ["impressions"],
        date_range_support: "date_range",
      },
    },
  ],
  agent_keys: [{ label: "Buyer X", buyer: "brand-co", opened: [{ product_id: "p1", territories: ["DE", "AT"] }] }],
}
