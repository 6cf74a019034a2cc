import { COUNTER_MARK } from "../load/job.ts"
import { FORMATS, formatId } from "./formats.ts"

export const OPENED = 50
// The number makes every brief another text, which says the same.
export const BRIEF = `podcast pre-roll ${COUNTER_MARK} for listeners of technology and science shows in Germany`

// The budget makes every brief say something else: each product is compared with it anew.
export const BUDGET_BRIEF = `podcast pre-roll for listeners of technology and science shows in Germany, budget 1${COUNTER_MARK} EUR`

const topics = [
  "technology",
  "science",
  "travel",
  "cooking",
  "sports",
  "finance",
  "health",
  "music",
  "film",
  "gardening",
]
const places = ["podcast pre-roll", "podcast mid-roll", "newsletter banner", "article banner", "homepage takeover"]

/** Products with words that a brief can find, spread evenly over topics and places. */
export function products(count: number, agentUrl?: string) {
  return Array.from({ length: count }, (_, place) => product(place, agentUrl))
}

export function productId(place: number): string {
  return `bench_product_${place}`
}

/** A buyer's key for an import file, with fifty products opened, spread evenly over all of them. */
export function openedTo(count: number, label = "Buyer of the bench") {
  const step = Math.floor(count / OPENED)
  const opened = Array.from({ length: OPENED }, (_, place) => ({
    product_id: productId(place * step),
    territories: ["DE", "AT"],
  }))
  return { label, opened }
}

function product(place: number, agentUrl?: string) {
  const topic = topics[place % topics.length]
  const spot = places[Math.floor(place / topics.length) % places.length]
  return {
    product_id: productId(place),
    name: `${topic} ${spot} ${place}`,
    description: `A ${spot} for people who follow ${topic}. Sold by the thousand, with weekly reports and a fixed price.`,
    publisher_properties: [{ publisher_domain: "news.example.com", selection_type: "by_tag", property_tags: ["ros"] }],
    channels: [spot?.startsWith("podcast") ? "podcast" : "display"],
    delivery_type: "non_guaranteed",
    exclusivity: "none",
    format_ids: [formatId(place % FORMATS, agentUrl), formatId((place + 1) % FORMATS, agentUrl)],
    pricing_options: [
      { pricing_option_id: "cpm_fixed", pricing_model: "cpm", currency: "EUR", fixed_price: 6.5 },
      {
        pricing_option_id: "cpm_floor",
        pricing_model: "cpm",
        currency: "EUR",
        floor_price: 4,
        price_guidance: { p50: 5.2 },
      },
    ],
    reporting_capabilities: {
      available_reporting_frequencies: ["daily"],
      expected_delay_minutes: 240,
      timezone: "UTC",
      supports_webhooks: false,
      available_metrics: ["impressions", "clicks", "spend", "ctr"],
      date_range_support: "date_range",
    },
  }
}
