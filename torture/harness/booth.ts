import { command, type Server } from "./program.ts"

/** A database with lines to report for, and the keys to it. */
export interface Booth {
  /** Options that say where the database is. */
  readonly place: readonly string[]
  readonly packageIds: readonly string[]
  readonly ingestKey: string
  readonly agentKey: string
}

const SELLER = "torture-audio"
/** Where the seller sees its campaigns. */
export const SELLER_PAGE = `/app/o/${SELLER}`
const EMAIL = "olga@example.com"
const PASSWORD = "correct horse battery"

/** Fills a new database on the command line, as an operator would. */
export async function furnish(place: readonly string[], lineCount: number): Promise<Booth> {
  const packageIds = Array.from(
    { length: lineCount },
    (_, i) => `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`,
  )
  const imported = await command(["import", "-", "--json", ...place], JSON.stringify(importFile(packageIds)))
  const { agent_keys } = JSON.parse(imported) as { agent_keys: { key: string }[] }
  return { place, packageIds, ingestKey: await newKey(place), agentKey: agent_keys[0]?.key ?? "" }
}

export async function newKey(place: readonly string[]): Promise<string> {
  const printed = await command(["key", "create", "--org", SELLER, "--label", "Feed", "--json", ...place])
  return (JSON.parse(printed) as { key: string }).key
}

/** An operator who also belongs to the seller. */
export async function newOperator(place: readonly string[]): Promise<void> {
  const person = ["--email", EMAIL, "--name", "Olga", "--operator", "--org", SELLER, "--role", "admin"]
  await command(["user", "create", ...person, "--password-stdin", ...place], PASSWORD)
}

/** Signs the operator in as a browser would, and returns the cookies. */
export async function signIn({ url }: Pick<Server, "url">): Promise<string> {
  const response = await fetch(`${url}/app/sign-in`, {
    method: "POST",
    headers: { "Sec-Fetch-Site": "same-origin" },
    body: new URLSearchParams({ email: EMAIL, password: PASSWORD }),
    redirect: "manual",
  })
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "")
  if (response.status !== 303) throw new Error(`Signing in was answered with ${response.status}.`)
  return cookies.join("; ")
}

function importFile(packageIds: readonly string[]) {
  const lines = packageIds.map((package_id, i) => ({
    package_id,
    seller: SELLER,
    name: `Line ${i}`,
    pricing_basis: "impressions",
    flight_start: "2020-01-01",
  }))
  return {
    organizations: [
      { slug: SELLER, name: "Torture Audio", time_zone: "UTC" },
      { slug: "brand-co", name: "Brand Co" },
    ],
    campaigns: [{ slug: "autumn", name: "Autumn", buyer: "brand-co", lines }],
    products: [PRODUCT],
    product_sellers: [{ product_id: PRODUCT.product_id, seller: SELLER }],
    agent_keys: [
      { label: "Buyer X", buyer: "brand-co", opened: [{ product_id: PRODUCT.product_id, territories: ["DE"] }] },
    ],
  }
}

const PRODUCT = {
  product_id: "morning-show",
  name: "Morning show, pre-roll",
  description: "Thirty seconds before the morning show.",
  publisher_properties: [{ publisher_domain: "audio.example", selection_type: "all" }],
  channels: ["podcast"],
  delivery_type: "guaranteed",
  format_ids: [{ id: "podcast_preroll_30s_hosted" }],
  pricing_options: [{ pricing_option_id: "cpm", pricing_model: "cpm", currency: "EUR", fixed_price: 12.5 }],
  reporting_capabilities: {
    available_reporting_frequencies: ["daily"],
    expected_delay_minutes: 60,
    timezone: "Europe/Berlin",
    supports_webhooks: false,
    available_metrics: ["impressions"],
    date_range_support: "date_range",
  },
}
