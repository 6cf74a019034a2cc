import { createHash } from "node:crypto"
import type { LoadRequest } from "./load.ts"

/** What is sent to the product and to the references. `MARK` becomes a number of six digits that grows with each request. */
export const MARK = "#NUMBER#"
export const ITEMS = 500
export const LINES = 5_000
export const SELLER = "acme-audio"
export const OPENED_PRODUCTS = 50
const PRODUCTS = 200
const FORMATS = 40
const DAY_MS = 86_400_000

/** Package IDs that look random, as real ones do, and are the same in every run. */
export function packageId(line: number): string {
  const hex = createHash("sha256").update(`line ${line}`).digest("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

export function linesFile(count = LINES, flightStart = "2026-01-01") {
  const lines = Array.from({ length: count }, (_, line) => ({
    package_id: packageId(line),
    seller: SELLER,
    name: `Line ${line + 1}`,
    pricing_basis: "impressions",
    flight_start: flightStart,
    booked: 5_000_000,
    rate: 12.5,
    currency: "EUR",
  }))
  return {
    organizations: [
      { slug: SELLER, name: "Acme Audio", time_zone: "UTC" },
      { slug: "brand-co", name: "Brand Co" },
    ],
    campaigns: [{ slug: "autumn", name: "Autumn", buyer: "brand-co", lines }],
  }
}

/** Requests of so many items that together name every line. Each one sent has newer totals than the one before. */
export function deliveries(key: string, items: number): (pass: number) => LoadRequest[] {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" }
  // All of yesterday: within one day, and never in the future.
  const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS
  return (pass) => {
    const second = new Date(midnight + pass * 1_000).toISOString().slice(0, 19)
    const item = (line: number) =>
      `{"package_id":"${packageId(line)}","impressions":${pass + 1}${MARK},"as_of":"${second}.${MARK}Z"}`
    return Array.from({ length: LINES / items }, (_, place) => {
      const all = Array.from({ length: items }, (_, i) => item(place * items + i))
      return { path: "/api/ingest/delivery/metrics", headers, body: `{"items":[${all.join(",")}]}` }
    })
  }
}

export const formatsCall = (): LoadRequest => toolCall("list_creative_formats", {})

/** The budget makes each brief another one. */
export function briefCall(key: string): LoadRequest {
  const brief = `podcast pre-roll for listeners of technology and science shows in Germany, budget 1${MARK} EUR`
  return toolCall("get_products", { buying_mode: "brief", brief }, key)
}

function toolCall(name: string, given: object, key?: string): LoadRequest {
  const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" }
  const params = { name, arguments: given }
  return {
    path: "/",
    headers: key === undefined ? headers : { ...headers, Authorization: `Bearer ${key}` },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  }
}

const TOPICS = [
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
const PLACES = ["podcast pre-roll", "podcast mid-roll", "newsletter banner", "article banner", "homepage takeover"]

/** Two hundred products, of which fifty are open to a buyer. */
export function catalogFile() {
  const opened = Array.from({ length: OPENED_PRODUCTS }, (_, place) => ({
    product_id: productId((place * PRODUCTS) / OPENED_PRODUCTS),
    territories: ["DE", "AT"],
  }))
  return {
    organizations: [{ slug: "brand-co", name: "Brand Co" }],
    formats: Array.from({ length: FORMATS }, (_, place) => format(place)),
    products: Array.from({ length: PRODUCTS }, (_, place) => product(place)),
    agent_keys: [{ label: "Buyer of the bench", buyer: "brand-co", opened }],
  }
}

const productId = (place: number): string => `bench_product_${place}`
const formatId = (place: number) => ({ id: `bench_display_${300 + (place % FORMATS)}x250` })

function product(place: number) {
  const topic = TOPICS[place % TOPICS.length]
  const spot = PLACES[Math.floor(place / TOPICS.length) % PLACES.length]
  return {
    product_id: productId(place),
    name: `${topic} ${spot} ${place}`,
    description: `A ${spot} for people who follow ${topic}. Sold by the thousand, with weekly reports and a fixed price.`,
    publisher_properties: [{ publisher_domain: "news.example.com", selection_type: "by_tag", property_tags: ["ros"] }],
    channels: [spot?.startsWith("podcast") ? "podcast" : "display"],
    delivery_type: "non_guaranteed",
    format_ids: [formatId(place), formatId(place + 1)],
    pricing_options: [{ pricing_option_id: "cpm", pricing_model: "cpm", currency: "EUR", fixed_price: 6.5 }],
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

function format(place: number) {
  const width = 300 + place
  const size = { min_width: width, max_width: width, min_height: 250, max_height: 250 }
  const banner = { item_type: "individual", asset_id: "banner", asset_type: "image", required: true }
  const click = { item_type: "individual", asset_id: "click_url", asset_type: "url", required: true }
  return {
    format_id: formatId(place),
    name: `Banner ${width}x250`,
    description: `Static or animated image banner, ${width} by 250 pixels, on editorial pages.`,
    renders: [{ role: "primary", dimensions: { width, height: 250, unit: "px" } }],
    assets: [{ ...banner, requirements: { ...size, formats: ["jpg", "png"], max_file_size_kb: 150 } }, click],
    reported_metrics: ["impressions", "clicks", "ctr"],
    canonical: { kind: "image" },
  }
}
