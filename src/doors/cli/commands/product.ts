import type { Command } from "commander"
import type { Product } from "../../../domain/adcp/schema/product/product.ts"
import { pricesText } from "../../../domain/adcp/text.ts"
import { UserError } from "../../../domain/user-error.ts"
import type { StoreReads } from "../../../storage/port/store.ts"
import { type CliContext, type CommonOptions, onStore, withData } from "../context.ts"
import { explained } from "../help.ts"
import { type List, printDetails, printList } from "../output/table.ts"

export function productCommand(program: Command, context: CliContext): void {
  const product = program.command("product").description("show the products that buyers' agents can find")
  explained(product, {
    notes: ["Products are added and changed with adbooth import, or in the app."],
    examples: [
      ["product list"],
      ["product show morning-preroll"],
      ["product show morning-preroll --json", "as it is stored"],
    ],
  })
  addList(product, context)
  addShow(product, context)
}

interface Opened {
  readonly label: string
  readonly territories: readonly string[]
}

interface ListedProduct {
  readonly product: Product
  /** Active keys that see it. */
  readonly opened: readonly Opened[]
}

async function productsOf(store: StoreReads): Promise<ListedProduct[]> {
  const keys = (await store.agentKeys.list()).filter(({ revokedAt }) => revokedAt === null)
  return (await store.catalogue.products()).map(({ productId, body }) => ({
    product: body as Product,
    opened: keys.flatMap(({ label, openings }) =>
      openings.filter((one) => one.productId === productId).map(({ territories }) => ({ label, territories })),
    ),
  }))
}

const channelsOf = ({ channels = [] }: Product) => channels.join(", ") || "-"
const expiryOf = ({ expires_at: expiry }: Product) => expiry ?? null

const PRODUCTS: List<ListedProduct> = {
  columns: [
    { title: "PRODUCT ID", text: ({ product }) => product.product_id },
    { title: "NAME", text: ({ product }) => product.name, shrinks: true },
    { title: "CHANNELS", text: ({ product }) => channelsOf(product), shrinks: true, optional: 2 },
    { title: "PRICES", text: ({ product }) => pricesText(product.pricing_options), shrinks: true, optional: 1 },
    { title: "OPEN TO", text: ({ opened }) => openText(opened) },
    { title: "EXPIRES", text: ({ product }) => expiryOf(product)?.slice(0, 10) ?? "-", optional: 3 },
  ],
  asJson: ({ product, opened }) => ({
    product_id: product.product_id,
    name: product.name,
    channels: product.channels ?? [],
    prices: product.pricing_options,
    opened,
    expires_at: expiryOf(product),
  }),
  empty: "No products yet. Import some: adbooth import FILE.json",
}

function openText({ length }: readonly Opened[]): string {
  return length === 0 ? "nobody" : length === 1 ? "1 key" : `${length} keys`
}

function addList(product: Command, context: CliContext): void {
  withData(product.command("list"))
    .description("list products with their prices and how many keys see each")
    .action(async (options: CommonOptions) => {
      printList(context.io, options, await onStore(context, options, ({ store }) => productsOf(store)), PRODUCTS)
    })
}

function addShow(product: Command, context: CliContext): void {
  withData(product.command("show"))
    .description("show one product; with --json as it is stored")
    .argument("<PRODUCT_ID>", "as shown by product list")
    .action(async (id: string, options: CommonOptions) => {
      const all = await onStore(context, options, ({ store }) => productsOf(store))
      const found = all.find(({ product: one }) => one.product_id === id)
      if (found === undefined) throw new UserError(`There is no product "${id}". "adbooth product list" shows them.`)
      const { product: shown, opened } = found
      printDetails(context.io, options, shown, [
        ["Product ID", shown.product_id],
        ["Name", shown.name],
        ["Description", shown.description],
        ["Channels", channelsOf(shown)],
        ["Prices", pricesText(shown.pricing_options)],
        ["Delivery", shown.delivery_type],
        ["Formats", (shown.format_ids ?? []).map((format) => format.id).join(", ") || null],
        ["Expires", expiryOf(shown)],
        ["Open to", opened.length === 0 ? "nobody" : null],
        ...opened.map(({ label, territories }) => ["Open to", `${label} (${territories.join(",")})`] as const),
      ])
    })
}
