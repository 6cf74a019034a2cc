import { type ListedFormat, listFormats } from "../../../actions/catalogue/list-formats.ts"
import type { Product } from "../../../domain/adcp/schema/product/product.ts"
import { pricesText, sizesOf } from "../../../domain/adcp/text.ts"
import type { StoreReads } from "../../../storage/port/store.ts"
import { describes, group, lists, onData } from "../command.ts"
import type { List } from "../output/table.ts"
import { unknown } from "../stored.ts"

const LIST_PRODUCTS = onData("list", "list products with their prices and how many keys see each", {
  examples: [["product list"]],
  run: async ({ store }) => lists(await productsOf(store), PRODUCTS),
})

const SHOW_PRODUCT = onData("show <PRODUCT_ID>", "show one product; with --json as it is stored", {
  examples: [["product show morning-preroll"], ["product show morning-preroll --json", "as it is stored"]],
  async run({ store }, id: string) {
    const entry = (await productsOf(store)).find((candidate) => candidate.product.product_id === id)
    if (entry === undefined) throw unknown(`product "${id}"`, "product")
    const { product, opened } = entry
    return describes(product, [
      ["Product ID", product.product_id],
      ["Name", product.name],
      ["Description", product.description],
      ["Channels", product.channels?.join(", ") || "-"],
      ["Prices", pricesText(product)],
      ["Delivery", product.delivery_type],
      ["Formats", (product.format_ids ?? []).map((format) => format.id).join(", ") || null],
      ["Expires", product.expires_at ?? null],
      ["Shown to", opened.length === 0 ? "nobody" : null],
      ...opened.map(({ label, territories }) => ["Shown to", `${label} (${territories.join(",")})`] as const),
    ])
  },
})

async function productsOf(store: StoreReads) {
  const keys = (await store.agentKeys.list()).filter(({ revokedAt }) => revokedAt === null)
  return (await store.catalogue.products()).map(({ productId, body }) => ({
    product: body as Product,
    opened: keys.flatMap(({ label, openings }) =>
      openings.filter((opening) => opening.productId === productId).map(({ territories }) => ({ label, territories })),
    ),
  }))
}

const PRODUCTS: List<Awaited<ReturnType<typeof productsOf>>[number]> = {
  columns: [
    { title: "PRODUCT ID", value: ({ product }) => product.product_id },
    { title: "NAME", value: ({ product }) => product.name, shrinks: true },
    { title: "CHANNELS", value: ({ product }) => product.channels ?? [], shrinks: true, optional: 2 },
    {
      title: "PRICES",
      value: ({ product }) => product.pricing_options,
      text: ({ product }) => pricesText(product),
      shrinks: true,
      optional: 1,
    },
    { title: "SHOWN TO", json: "opened", value: ({ opened }) => opened, text: ({ opened }) => keysText(opened.length) },
    {
      title: "EXPIRES",
      json: "expires_at",
      value: ({ product }) => product.expires_at ?? null,
      text: ({ product }) => product.expires_at?.slice(0, 10) ?? "-",
      optional: 3,
    },
  ],
  empty: "No products yet. Import some: adbooth import FILE.json",
}

const keysText = (keys: number): string => (keys === 0 ? "nobody" : keys === 1 ? "1 key" : `${keys} keys`)

export const productCommand = group("product", "show the products that buyers' agents can find", {
  notes: ["Products are added and changed with adbooth import, or in the app."],
  below: [LIST_PRODUCTS, SHOW_PRODUCT],
})

const LIST_FORMATS = onData("list", "list formats with the products that use each", {
  examples: [["format list"]],
  run: async (on) => lists(await listFormats(on), FORMATS),
})

const SHOW_FORMAT = onData("show <FORMAT_ID>", "show one format; with --json as it is stored", {
  examples: [["format show display_300x250_image"], ["format show display_300x250_image --json", "as it is stored"]],
  async run(on, id: string) {
    const format = (await listFormats(on)).find((format) => format.id === id)
    if (format === undefined) throw unknown(`format "${id}"`, "format")
    return describes(format.format, [
      ["Format ID", format.id],
      ["Name", format.name],
      ["Description", format.format.description ?? null],
      ["Size", sizesOf(format.format).join(", ") || null],
      ["State", format.state],
      ["Used by", format.usedBy.map(({ id }) => id).join(", ") || "no product"],
    ])
  },
})

const FORMATS: List<ListedFormat> = {
  columns: [
    { title: "FORMAT ID", value: ({ id }) => id },
    { title: "NAME", value: ({ name }) => name, shrinks: true },
    { title: "SIZE", json: "sizes", value: ({ format }) => sizesOf(format), shrinks: true, optional: 1 },
    { title: "STATE", value: ({ state }) => state, colour: ({ state }) => (state === "hidden" ? "dim" : undefined) },
    { title: "USED BY", value: ({ usedBy }) => usedBy.map(({ id }) => id), shrinks: true, optional: 2 },
  ],
  empty: "There are no formats.",
}

export const formatCommand = group("format", "show the creative formats, built-in and your own", {
  notes: ["Formats are added, replaced and hidden with adbooth import, or in the app."],
  below: [LIST_FORMATS, SHOW_FORMAT],
})
