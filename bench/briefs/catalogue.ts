import { join } from "node:path"
import type { Product } from "../../src/domain/adcp/schema/product/product.ts"
import type { Opening } from "../../src/domain/keys/opening.ts"

interface Entry {
  readonly product: Product
  readonly opening: Opening
  /** What a reader would say that it is about; not a field of the product. */
  readonly about: readonly string[]
}

/** The products in a file of this folder. */
export async function readCatalogue(file: string): Promise<Entry[]> {
  const text = await Bun.file(join(import.meta.dir, file)).text()
  return text
    .split("\n\n")
    .filter((block) => !block.startsWith("#"))
    .map(entryOf)
}

const entries = await readCatalogue("catalogue.txt")

/** What the briefs are judged against. */
export const products = entries.map(({ product }) => product)
export const openings = entries.map(({ opening }) => opening)

function entryOf(block: string): Entry {
  const [facts = "", name, description] = block.trim().split("\n")
  const [id = "", channels = "", countries = "", delivery_type, price = "", formats = "", ...more] = facts.split(" | ")
  const { about = [], ...fields } = Object.fromEntries(more.map(fieldOf))
  const product = {
    product_id: id,
    name,
    description,
    publisher_properties: [
      { publisher_domain: `${id.replaceAll("_", "-")}.example`, selection_type: "by_tag", property_tags: ["all"] },
    ],
    channels: channels.split(" "),
    delivery_type,
    format_ids: formats.split(" ").map((format) => ({ id: format })),
    pricing_options: price.split(" or ").map(priceOf),
    reporting_capabilities: {
      available_reporting_frequencies: ["daily"],
      expected_delay_minutes: 240,
      timezone: "UTC",
      supports_webhooks: false,
      available_metrics: ["impressions", "spend"],
      date_range_support: "date_range",
    },
    ...fields,
  } as unknown as Product
  return { product, opening: { productId: id, territories: countries.split(" ") }, about: about as string[] }
}

function priceOf(price: string): object {
  const [, model, floor, amount, currency, time_unit, least] =
    /^(\w+) (from )?([\d.]+) (\w+)(?:\/(\w+))?(?: min (\d+))?$/.exec(price) ?? []
  if (model === undefined) throw new Error(`not a price: ${price}`)
  return {
    pricing_option_id: `${model}_${currency}`,
    pricing_model: model,
    currency,
    [floor === undefined ? "fixed_price" : "floor_price"]: Number(amount),
    ...(least === undefined ? {} : { min_spend_per_package: Number(least) }),
    ...(model === "cpa" ? { event_type: "purchase" } : {}),
    ...(time_unit === undefined ? {} : { parameters: { time_unit } }),
  }
}

function fieldOf(field: string): [string, unknown] {
  const [name = "", value = ""] = field.split("=")
  return [name, name.endsWith("_at") ? value : value.split(",")]
}
