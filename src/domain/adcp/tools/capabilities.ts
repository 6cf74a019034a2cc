import { EVERYWHERE } from "../../keys/opening.ts"
import type { SeenProduct } from "../seen-product.ts"
import { ADCP_MAJOR, ADCP_VERSION, type AdcpAnswer, type Arguments, completed, failed, isAdcpError } from "./answer.ts"
import { takeArguments } from "./arguments.ts"
import { CapabilitiesInput } from "./input.ts"

/** What the answer is derived from: nothing that the caller may not see. */
export interface Surface {
  readonly products: readonly SeenProduct[]
  /** The domains that the operator publishes in adagents.json. */
  readonly publishedDomains: readonly string[]
  /** Whom buyers ask; null where nobody has said. */
  readonly contact?: string | null
  /** What a caller without a key is told, with a space before it. */
  readonly notice?: string
  readonly orders?: string
  readonly brandUrl?: string | null
  readonly offersDelivery?: boolean
}

export type Capabilities = Readonly<{ message: string; sections: Record<string, unknown> }>

// What the schema wants in every answer, failed ones included; it also helps the caller to ask again in the right version.
export const capabilitiesCore = {
  adcp: { major_versions: [ADCP_MAJOR], supported_versions: [ADCP_VERSION], idempotency: { supported: false } },
  supported_protocols: ["media_buy", "creative"],
}

// Everything is said to be missing that is missing: a buyer's agent plans with this.
const lacking = (names: string) => Object.fromEntries(names.split(" ").map((name) => [name, false]))

const account = {
  supported_billing: ["operator"],
  default_billing: "operator",
  ...lacking("require_operator_auth required_for_products account_financials sandbox"),
}
const creative = {
  ...lacking("supports_compliance has_creative_library supports_generation supports_transformation"),
  ...lacking("supports_transformers supports_refinement supports_spend_controls supports_evaluator bills_through_adcp"),
}
const features = lacking(
  "inline_creative_management property_list_filtering catalog_management committed_metrics_supported",
)

export function prepareCapabilities(surface: Surface): Capabilities {
  const { contact, notice = "", brandUrl, offersDelivery } = surface
  const tools = offersDelivery ? "discovery and delivery with four" : "discovery with three"
  const sections = {
    ...capabilitiesCore,
    account,
    media_buy: mediaBuy(surface),
    creative,
    specialisms: [],
    extensions_supported: ["adbooth"],
    wholesale_feed_versioning: { supported: true, pricing_version_separate: false },
    ...(brandUrl && { identity: { brand_json_url: brandUrl } }),
    ...(contact && { ext: { adbooth: { contact } } }),
  }
  return { message: `AdCP 3.1: product and format ${tools} read-only tools.${notice}`, sections }
}

function mediaBuy({ products: seen, publishedDomains, offersDelivery, orders = "" }: Surface): object {
  const products = seen.map(({ product }) => product)
  const models = distinct(products.flatMap((product) => product.pricing_options.map((option) => option.pricing_model)))
  const domains = distinct([
    ...publishedDomains,
    ...products.flatMap((product) => product.publisher_properties.map(({ publisher_domain }) => publisher_domain)),
  ])
  // Buyers may skip us outside of these lists, so that they are complete or left out.
  const isOpen = seen.some(({ territories }) => territories.includes(EVERYWHERE))
  const isAny = products.some(({ channels }) => channels === undefined)
  const channels = isAny ? [] : distinct(products.flatMap((product) => product.channels ?? []))
  const countries = isOpen ? [] : distinct(seen.flatMap(({ territories }) => territories))
  const told = offersDelivery ? ", and with get_media_buy_delivery what was delivered" : ""
  const portfolio = {
    publisher_domains: domains,
    ...(channels.length > 0 && { primary_channels: channels }),
    ...(countries.length > 0 && { primary_countries: countries }),
    description: `This agent shows products and creative formats${told}. ${orders} Each key is shown its own products.`,
  }
  return {
    ...(models.length > 0 && { supported_pricing_models: models }),
    buying_modes: ["brief", "wholesale", "refine"],
    supports_proposals: false,
    governance_aware: false,
    features,
    ...(domains.length > 0 && { portfolio }),
  }
}

const distinct = (words: readonly string[]) => [...new Set(words)].sort()

export function getCapabilities(capabilities: Capabilities, args: Arguments): AdcpAnswer {
  const taken = takeArguments(CapabilitiesInput, args)
  if (isAdcpError(taken)) return failed(taken, args, capabilitiesCore)
  const { protocols } = taken.input
  const sections = ["media_buy", "creative"]
  const visible = Object.entries(capabilities.sections).filter(
    ([name]) => !sections.includes(name) || (protocols ?? sections).some((each) => each === name),
  )
  return completed(capabilities.message, Object.fromEntries(visible), args)
}
