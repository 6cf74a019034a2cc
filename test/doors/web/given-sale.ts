import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import { products } from "../../../src/demo/data.ts"
import { startApp, type TestApp, type TestAppOptions } from "../../harness.ts"
import { type Visitor, visitor } from "./visitor.ts"

export const LIGHTHOUSE = "lighthouse"

const line = (package_id: string, name: string, more: object) => ({
  package_id,
  seller: LIGHTHOUSE,
  name,
  pricing_basis: "impressions",
  currency: "EUR",
  ...more,
})

export const CITY_LINE = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9b01"
export const HARBOUR_LINE = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9b02"
export const SEA_LINE = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9b03"
const SEASON = { flight_start: "2026-09-07", flight_end: "2026-11-08" }

const SHOP = {
  organizations: [
    { slug: LIGHTHOUSE, name: "Lighthouse Audio", time_zone: "Europe/Berlin" },
    { slug: "fernweh-travel", name: "Fernweh Travel" },
    { slug: "schauspielhaus", name: "Schauspielhaus" },
  ],
  products: products.filter((product) => !JSON.stringify(product).includes("sea_stories_segment")),
  campaigns: [
    {
      slug: "autumn-escapes",
      name: "Autumn escapes",
      buyer: "fernweh-travel",
      lines: [
        line(CITY_LINE, "City Walks, pre-roll", {
          rate: 14.5,
          booked: 420_000,
          flight_start: "2026-10-12",
          flight_end: "2026-12-05",
        }),
      ],
    },
    {
      slug: "theatre-season",
      name: "Theatre season",
      buyer: "schauspielhaus",
      lines: [
        line(HARBOUR_LINE, "Harbour Nights, mid-roll", { rate: 16, booked: 90_000, ...SEASON }),
        line(SEA_LINE, "Sea Stories, mid-roll", { pricing_basis: "downloads", rate: 24, booked: 40_000, ...SEASON }),
      ],
    },
  ],
  agent_keys: [
    {
      label: "Fernweh buying agent",
      buyer: "fernweh-travel",
      opened: [
        { product_id: "city-walks-preroll", territories: ["DE", "AT"] },
        { product_id: "weekend-newsletter", territories: ["GB", "IE"] },
      ],
    },
  ],
}

export interface Shop extends TestApp {
  readonly agentKey: string
  /** Where a product can be ordered, as get_products tells the buyer's agent. */
  orderPath(productId?: string): Promise<string>
  stranger(): Visitor
}

/** One seller, whose products a buyer's agent sees. */
export async function startShop(wishes: TestAppOptions = {}): Promise<Shop> {
  const app = await startApp({ now: "2026-11-16T08:10:00Z", ...wishes })
  const outcome = await importCatalogue(app, SHOP, "import")
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems))
  const agentKey = outcome.secrets.get("Fernweh buying agent") ?? ""
  return {
    ...app,
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
    agentKey,
    async orderPath(productId = "city-walks-preroll") {
      const { products: found } = await productsOf(app, agentKey)
      const product = found.find(({ product_id }) => product_id === productId)
      return new URL(product?.ext.adbooth.order_url ?? "/order/none", app.url).pathname
    },
    stranger: () => visitor(app),
  }
}

interface Answer {
  readonly message: string
  readonly products: readonly {
    readonly product_id: string
    readonly ext: { readonly adbooth: { readonly order_url?: string } }
  }[]
}

/** What get_products answers to this key. */
export async function productsOf(app: TestApp, key: string, args: object = {}): Promise<Answer> {
  const params = { name: "get_products", arguments: args }
  const answer = await app.fetch("/", {
    method: "POST",
    headers: {
      ...(key !== "" && { authorization: `Bearer ${key}` }),
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  })
  const { result } = (await answer.json()) as { result: { structuredContent: Answer } }
  return result.structuredContent
}

export const ORDER_FIELDS = {
  price: "cpm_eur",
  from: "2026-11-23",
  to: "2027-01-10",
  quantity: "200,000",
  territories: "DE",
  organization: "Fernweh Travel GmbH",
  name: "Lena Vogt",
  email: "lena.vogt@fernweh.example",
}

/** Places an order; the address of its own page. */
export async function givenOrder(
  shop: Shop,
  fields: Readonly<Record<string, string>> = {},
  headers?: HeadersInit,
): Promise<string> {
  const path = await shop.orderPath()
  const answer = await shop.stranger().post(path, { ...ORDER_FIELDS, ...fields }, headers)
  const location = answer.headers.get("location")
  if (location === null) throw new Error(`the order was refused: ${answer.status}`)
  return location
}
