import { Type } from "@sinclair/typebox"
import { choice } from "../../schema/build.ts"
import { readArguments } from "../arguments.ts"
import { EVERYWHERE } from "../catalogue/territory.ts"
import { toolInput } from "../input.ts"
import type { SeenProduct } from "../view.ts"
import { ADCP_MAJOR, ADCP_VERSION, type AdcpAnswer, type Arguments, completed } from "./answer.ts"

export const CapabilitiesInput = toolInput({
  protocols: Type.Array(choice("media_buy signals governance sponsored_intelligence creative"), {
    minItems: 1,
    description: "Only the sections of these protocols.",
  }),
})

/** The facts behind the capabilities, limited to what the caller may see. */
interface Surface {
  readonly products: readonly SeenProduct[]
  /** The domains that the operator publishes in adagents.json. */
  readonly publishedDomains: readonly string[]
  /** Who buyers should contact. Null if the operator named no contact. */
  readonly contact: string | null
  /** A sentence for callers without a key. */
  readonly notice: string | null
  /** How to order, in a sentence. */
  readonly orders: string
  readonly brandUrl: string | null
  readonly offersDelivery: boolean
}

export interface Capabilities {
  readonly message: string
  readonly sections: Readonly<Record<string, unknown>>
}

/**
 * Fields that the response schema requires in every answer. In a failed one, they help the caller to ask again in the
 * right version.
 */
export const CAPABILITIES_CORE = {
  adcp: { major_versions: [ADCP_MAJOR], supported_versions: [ADCP_VERSION], idempotency: { supported: false } },
  supported_protocols: ["media_buy", "creative"],
}

// A buyer's agent plans with this, so everything that's missing is listed as false.
const lacking = (names: string) => Object.fromEntries(names.split(" ").map((name) => [name, false]))

const ACCOUNT = {
  supported_billing: ["operator"],
  default_billing: "operator",
  ...lacking("require_operator_auth required_for_products account_financials sandbox"),
}
const CREATIVE = {
  ...lacking("supports_compliance has_creative_library supports_generation supports_transformation"),
  ...lacking("supports_transformers supports_refinement supports_spend_controls supports_evaluator bills_through_adcp"),
}
const FEATURES = lacking(
  "inline_creative_management property_list_filtering catalog_management committed_metrics_supported",
)

/** Prepares what this agent tells a caller about itself. */
export function capabilitiesOf(surface: Surface): Capabilities {
  const { contact, notice, brandUrl, offersDelivery } = surface
  const tools = offersDelivery ? "discovery and delivery with four" : "discovery with three"
  const message = `AdCP 3.1: product and format ${tools} read-only tools.`
  return {
    message: notice === null ? message : `${message} ${notice}`,
    sections: {
      ...CAPABILITIES_CORE,
      account: ACCOUNT,
      media_buy: mediaBuyOf(surface),
      creative: CREATIVE,
      specialisms: [],
      extensions_supported: ["adbooth"],
      wholesale_feed_versioning: { supported: true, pricing_version_separate: false },
      ...(brandUrl !== null && { identity: { brand_json_url: brandUrl } }),
      ...(contact !== null && { ext: { adbooth: { contact } } }),
    },
  }
}

function mediaBuyOf({ products: seen, publishedDomains, offersDelivery, orders }: Surface): object {
  const products = seen.map(({ product }) => product)
  const models = distinct(products.flatMap(({ pricing_options }) => pricing_options.map((each) => each.pricing_model)))
  const ownDomains = products.flatMap(({ publisher_properties }) =>
    publisher_properties.map(({ publisher_domain }) => publisher_domain),
  )
  const domains = distinct([...publishedDomains, ...ownDomains])
  // Buyers may skip us outside of these lists, so they are complete or left out.
  const isOpen = seen.some(({ territories }) => territories.includes(EVERYWHERE))
  const countries = isOpen ? [] : distinct(seen.flatMap(({ territories }) => territories))
  const isAny = products.some(({ channels }) => channels === undefined)
  const channels = isAny ? [] : distinct(products.flatMap((product) => product.channels ?? []))
  const delivery = offersDelivery ? ", and with get_media_buy_delivery what was delivered" : ""
  const portfolio = {
    publisher_domains: domains,
    ...(channels.length > 0 && { primary_channels: channels }),
    ...(countries.length > 0 && { primary_countries: countries }),
    description: `This agent shows products and creative formats${delivery}. ${orders} Each key is shown its own products.`,
  }
  return {
    ...(models.length > 0 && { supported_pricing_models: models }),
    buying_modes: ["brief", "wholesale", "refine"],
    supports_proposals: false,
    governance_aware: false,
    features: FEATURES,
    ...(domains.length > 0 && { portfolio }),
  }
}

const distinct = (words: readonly string[]): string[] => [...new Set(words)].sort()

const SECTIONS = ["media_buy", "creative"]

export function getCapabilities({ message, sections }: Capabilities, args: Arguments): AdcpAnswer {
  const { protocols } = readArguments(CapabilitiesInput, args)
  const asked: readonly string[] = protocols ?? SECTIONS
  const visible = Object.entries(sections).filter(([name]) => !SECTIONS.includes(name) || asked.includes(name))
  return completed(message, Object.fromEntries(visible), args)
}
