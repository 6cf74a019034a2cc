import type { Product } from "../../../domain/adcp/schema/product/product.ts"
import { pricesText } from "../../../domain/adcp/text.ts"
import { UserError } from "../../../domain/user-error.ts"
import type { StoreReads } from "../../../storage/port/store.ts"
import { describes, group, lists, onData } from "../command.ts"
import type { List } from "../output/table.ts"

const LIST = onData("list", "list products with their prices and how many keys see each", {
  examples: [["product list"]],
  run: async ({ store }) => lists(await productsOf(store), PRODUCTS),
})

const SHOW = onData("show <PRODUCT_ID>", "show one product; with --json as it is stored", {
  examples: [["product show morning-preroll"], ["product show morning-preroll --json", "as it is stored"]],
  async run({ store }, id: string) {
    const entry = (await productsOf(store)).find((candidate) => candidate.product.product_id === id)
    if (entry === undefined) throw new UserError(`There is no product "${id}". "adbooth product list" shows them.`)
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
  below: [LIST, SHOW],
})
