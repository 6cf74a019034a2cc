import { channelLabel } from "../../../../domain/adcp/brief/words.ts"
import { type PricingOption, type Product, priceOf } from "../../../../domain/adcp/schema/product.ts"
import { pricedUnit } from "../../../../domain/sale/order.ts"
import type { StoredCall } from "../../../../storage/catalogue/calls.ts"
import type { StoredProduct } from "../../../../storage/catalogue/catalogue.ts"
import type { BuyerKey } from "../../../../storage/keys.ts"
import { capitalized, formatPrice, listInWords } from "../../../parts/format.tsx"
import { perUnitInWords } from "../../../parts/line.tsx"

export const PRODUCTS = "/app/operator/products"
export const BUYER_KEYS = "/app/operator/buyer-keys"
export const REQUESTS = "/app/operator/requests"
export const FORMATS = "/app/operator/formats"

export const productAddress = (id: string): string => `${PRODUCTS}/${encodeURIComponent(id)}`
export const keyAddress = (id: string): string => `${BUYER_KEYS}/${id}`

/** Where a product is shown to a key: the field of the key on the product's page. */
export const showAddress = (productId: string, buyerKeyId: string): string =>
  `${productAddress(productId)}/openings#key.${buyerKeyId}`

/** "Streaming audio" */
export const channelName = (channel: string): string => capitalized(channelLabel(channel))

/** A product that was edited by hand in the database may have no name. */
export const productName = ({ id, product }: StoredProduct): string => product.name ?? id

/** "€9.80 or £8.50 per 1,000 impressions, or from CHF 500.00 flat rate" */
export function pricesInWords(product: Product): string {
  const unitOf = (option: PricingOption) => perUnitInWords(pricedUnit(option, product).counted)
  const byUnit = Map.groupBy(product.pricing_options ?? [], unitOf)
  const texts = [...byUnit].map(([unit, options]) => `${listInWords(options.map(amountInWords), 3, "or")} ${unit}`)
  return texts.join(", or ")
}

const amountInWords = (option: PricingOption): string =>
  (option.fixed_price === undefined ? "from " : "") + formatPrice(priceOf(option), option.currency)

/** The names of buyer keys by their IDs. */
export const keyNames = (keys: readonly BuyerKey[]): ReadonlyMap<string, string> =>
  new Map(keys.map(({ id, label }) => [id, label]))

export const callerOf = ({ buyerKeyId }: Pick<StoredCall, "buyerKeyId">, names: ReadonlyMap<string, string>): string =>
  buyerKeyId === null ? "Without a key" : (names.get(buyerKeyId) ?? buyerKeyId)

const OTHER_CALLS: Readonly<Record<string, string>> = {
  get_adcp_capabilities: "What can you do?",
  list_creative_formats: "Which formats do you take?",
  get_media_buy_delivery: "What has been delivered?",
  initialize: "Hello",
  "tools/list": "Which tools do you have?",
}

/** What was asked: the brief in quotes, or in our words. */
export function askedText({ brief, tool, method, outcome }: StoredCall): string {
  if (brief !== null) return `“${brief}”`
  if (tool === "get_products") return outcome === "completed" ? "All products, no brief" : "Products"
  return OTHER_CALLS[tool ?? method] ?? tool ?? method
}

const REFUSALS: Readonly<Record<string, string>> = {
  INVALID_REQUEST: "The request wasn’t valid",
  VERSION_UNSUPPORTED: "Another version of AdCP",
  PRODUCT_NOT_FOUND: "It named an unknown product",
  MEDIA_BUY_NOT_FOUND: "It named an unknown campaign",
  AUTH_MISSING: "It came without a key",
  PERMISSION_DENIED: "The key acts for no buyer",
  RATE_LIMITED: "Too many requests",
  CREDENTIAL_IN_ARGS: "It had a password or key in it",
  SERVICE_UNAVAILABLE: "Something went wrong on this server",
}

export const refusalInWords = (outcome: string): string => REFUSALS[outcome] ?? "The message couldn’t be read"

export const formatAddress = (id: string): string => `${FORMATS}/${encodeURIComponent(id)}`

const KINDS: Readonly<Record<string, string>> = {
  html5: "HTML5",
  display_tag: "Third-party tag",
  video_hosted: "Video file",
  video_vast: "Video by VAST tag",
  audio_hosted: "Audio file or host-read",
  audio_daast: "Audio by DAAST tag",
  native_in_feed: "Native in feed",
  custom: "Something else",
}

/** The canonical kind of a format, in words. */
export const kindName = (kind: string): string => KINDS[kind] ?? capitalized(kind.replaceAll("_", " "))
