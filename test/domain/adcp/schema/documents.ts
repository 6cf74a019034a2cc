// Good documents to start from, and the address that stands for our own agent in these tests.

export const agentUrl = "https://agent.example/"

export const plainProduct = {
  product_id: "p1",
  name: "Homepage banner",
  description: "A banner on the homepage.",
  publisher_properties: [{ publisher_domain: "news.example", selection_type: "all" }],
  delivery_type: "guaranteed",
  format_ids: [{ id: "display_300x250_image" }],
  pricing_options: [{ pricing_option_id: "cpm", pricing_model: "cpm", currency: "EUR", fixed_price: 12 }],
  reporting_capabilities: {
    available_reporting_frequencies: ["daily"],
    expected_delay_minutes: 60,
    timezone: "UTC",
    supports_webhooks: false,
    available_metrics: ["impressions"],
    date_range_support: "date_range",
  },
} as const

export const plainFormat = {
  format_id: { id: "banner" },
  name: "Banner",
  canonical: { kind: "image" },
} as const

const refNames = new Set(["format_ids", "v1_format_ref", "format_id", "input_format_ids", "output_format_ids"])

/** The document as the wire shows it: own format references get the agent's address. */
export function addressed(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => addressed(item, name))
  if (typeof value !== "object" || value === null) return value
  const fields = Object.entries(value).map(([key, field]) => [key, addressed(field, key)])
  const copy = Object.fromEntries(fields)
  return refNames.has(name) && !("agent_url" in copy) ? { agent_url: agentUrl, ...copy } : copy
}
