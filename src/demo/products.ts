import type { ImportedAgentKey } from "../domain/import/import-file.ts"

// AdCP 3.1 objects, checked like all others when they are imported.

const reporting = (metric: string) => ({
  available_reporting_frequencies: ["daily"],
  expected_delay_minutes: 720,
  timezone: "Europe/Berlin",
  supports_webhooks: false,
  available_metrics: [metric],
  date_range_support: "date_range",
})

const cpm = (price: number, least = 500) => [
  {
    pricing_option_id: "cpm_eur",
    pricing_model: "cpm",
    currency: "EUR",
    fixed_price: price,
    min_spend_per_package: least,
  },
]

/** In euros and in pounds. */
const cpmInTwo = (euros: number, pounds: number, least?: number) => [
  ...cpm(euros, least),
  ...cpm(pounds, least).map((option) => ({ ...option, pricing_option_id: "cpm_gbp", currency: "GBP" })),
]

const flat = (price: number) => [
  { pricing_option_id: "flat_eur", pricing_model: "flat_rate", currency: "EUR", fixed_price: price },
]

const publisher = (domain: string) => [{ publisher_domain: domain, selection_type: "all" }]

export const formats: unknown[] = [
  {
    format_id: { id: "sea_stories_segment" },
    name: "Sea Stories branded segment",
    description: "Five minutes inside an episode, written together with the host.",
    assets: [
      {
        item_type: "individual",
        asset_id: "briefing",
        asset_type: "text",
        asset_group_id: "script",
        required: true,
        requirements: { max_length: 4_000 },
      },
    ],
    canonical: {
      kind: "audio_hosted",
      asset_source: "publisher_host_recorded",
      slots_override: [{ asset_group_id: "script", asset_type: "text", required: true }],
    },
    reported_metrics: ["downloads"],
  },
]

export const products: unknown[] = [
  {
    product_id: "sea-stories-midroll",
    name: "Sea Stories, host-read mid-roll",
    description:
      "Sixty seconds in the middle of an episode, read by the host. Listeners who travel: sailors, hikers, islanders.",
    publisher_properties: publisher("lighthouse.example"),
    channels: ["podcast"],
    delivery_type: "guaranteed",
    format_ids: [{ id: "podcast_host_read_midroll" }, { id: "podcast_midroll_60s_hosted" }],
    pricing_options: cpmInTwo(24, 21),
    reporting_capabilities: reporting("downloads"),
  },
  {
    product_id: "sea-stories-segment",
    name: "Sea Stories, branded segment",
    description: "A segment of five minutes that belongs to you, once a month. Only one brand at a time.",
    publisher_properties: publisher("lighthouse.example"),
    channels: ["podcast"],
    delivery_type: "guaranteed",
    exclusivity: "exclusive",
    format_ids: [{ id: "sea_stories_segment" }],
    pricing_options: flat(4_800),
    reporting_capabilities: reporting("downloads"),
  },
  {
    product_id: "city-walks-preroll",
    name: "City Walks, pre-roll",
    description: "Thirty seconds before each walk through a European city. Weekend trips are what people plan with it.",
    publisher_properties: publisher("lighthouse.example"),
    channels: ["podcast"],
    delivery_type: "non_guaranteed",
    format_ids: [{ id: "podcast_preroll_30s_hosted" }],
    pricing_options: cpm(14.5, 250),
    reporting_capabilities: reporting("impressions"),
  },
  {
    product_id: "homepage-billboard",
    name: "Homepage billboard",
    description: "The wide place above the front page of The Harbour Post, in every section, all day.",
    publisher_properties: publisher("harbour.example"),
    channels: ["display"],
    delivery_type: "guaranteed",
    format_ids: [{ id: "display_970x250_image" }, { id: "display_970x250_html5" }],
    pricing_options: cpmInTwo(9.8, 8.5, 1_000),
    reporting_capabilities: reporting("impressions"),
  },
  {
    product_id: "weekend-newsletter",
    name: "Weekend newsletter, sponsorship",
    description: "Logo, headline and text at the top of the Saturday letter: 38,000 readers, 52 % open it.",
    publisher_properties: publisher("harbour.example"),
    channels: ["email"],
    delivery_type: "guaranteed",
    format_ids: [{ id: "newsletter_sponsorship" }],
    pricing_options: flat(1_200),
    reporting_capabilities: reporting("impressions"),
  },
]

export const BUYING_AGENT = "Fernweh buying agent"

export const agentKeys: ImportedAgentKey[] = [
  {
    label: BUYING_AGENT,
    buyer: "fernweh-travel",
    opened: [
      { product_id: "sea-stories-midroll", territories: ["DE", "AT", "CH"] },
      { product_id: "sea-stories-segment", territories: ["DE"] },
      { product_id: "city-walks-preroll", territories: ["DE", "AT"] },
      { product_id: "homepage-billboard", territories: ["*"] },
    ],
  },
  { label: "Kite Media, test", opened: [{ product_id: "weekend-newsletter", territories: ["GB", "IE"] }] },
]
