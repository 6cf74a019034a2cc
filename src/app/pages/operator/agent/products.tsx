import { hasExpired } from "../../../../domain/adcp/view.ts"
import {
  allOpenings,
  productsSoldBy,
  type StoredProduct,
  storedProducts,
} from "../../../../storage/catalogue/catalogue.ts"
import { buyerKeys } from "../../../../storage/keys.ts"
import { allOrganizations } from "../../../../storage/organizations.ts"
import type { List } from "../../../list.ts"
import { page } from "../../../page.tsx"
import { Badge, ButtonLink, Empty } from "../../../parts/blocks.tsx"
import { formatCount, formatDate, listInWords } from "../../../parts/format.tsx"
import { ListView } from "../../../parts/list.tsx"
import { actionsColumn, type Column, Name } from "../../../parts/table.tsx"
import type { MemberVisit, SignedInVisit } from "../../../visit.ts"
import { channelName, PRODUCTS, pricesInWords, productAddress, productName } from "./words.ts"

interface ProductRow extends StoredProduct {
  readonly seller: string
  /** How many active keys see it. */
  readonly keys: number
  readonly isExpired: boolean
}

/** Every product, for the operator. */
export async function productsPage(visit: SignedInVisit): Promise<Response> {
  const { read } = visit
  const sellers = new Map((await allOrganizations(read)).map(({ id, name }) => [id, name]))
  const rows = await rowsOf(visit, await storedProducts(read), sellers)
  return page(visit, {
    title: "Products",
    intro: "What buyers’ agents can find. A buyer key sees only the products that you show it.",
    actions: <ButtonLink kind="primary" icon="plus" href={`${PRODUCTS}/new`} label="New product" />,
    body: <ListView list={productList(true)} rows={rows} url={visit.url} />,
  })
}

/** What an organization sells, for its admins. Only the operator changes it. */
export async function ownProductsPage(visit: MemberVisit): Promise<Response> {
  const { organization, read } = visit
  const products = await productsSoldBy(read, organization.id)
  const rows = await rowsOf(visit, products, new Map([[organization.id, organization.name]]))
  return page(visit, {
    title: "Products",
    intro: "Your products that buyers’ agents can find. The operator of this server manages them.",
    body: <ListView list={productList(false)} rows={rows} url={visit.url} />,
  })
}

async function rowsOf(
  { read, now }: SignedInVisit,
  products: readonly StoredProduct[],
  sellers: ReadonlyMap<number, string>,
): Promise<ProductRow[]> {
  const keys = await buyerKeys(read)
  const active = new Set(keys.filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id))
  const seen = (await allOpenings(read)).filter(({ buyerKeyId }) => active.has(buyerKeyId))
  const openings = Map.groupBy(seen, ({ productId }) => productId)
  return products.map((stored) => ({
    ...stored,
    seller: (stored.sellerId !== null && sellers.get(stored.sellerId)) || "",
    keys: openings.get(stored.id)?.length ?? 0,
    isExpired: hasExpired(stored.product, now),
  }))
}

const productList = (isOperator: boolean): List<ProductRow> => ({
  name: "products",
  searched: "products, channels and sellers",
  textsOf: (row) => [productName(row), row.id, row.seller, ...(row.product.channels ?? [])],
  states: {
    shown: { label: "Shown", has: ({ keys, isExpired }) => keys > 0 && !isExpired },
    hidden: { label: "Not shown", has: ({ keys, isExpired }) => keys === 0 || isExpired },
  },
  empty: (
    <Empty
      title="No products yet"
      text="A product is something that a buyer can order: a place for ads, with a price and an audience."
    >
      {isOperator && <ButtonLink kind="primary" href={`${PRODUCTS}/new`} label="New product" />}
    </Empty>
  ),
  columns: [
    {
      title: "Product",
      cell: (row) =>
        isOperator ? <Name href={productAddress(row.id)}>{productName(row)}</Name> : <b>{productName(row)}</b>,
      sort: productName,
    },
    { title: "Seller", cell: ({ seller }) => seller || "–", sort: ({ seller }) => seller, onPhone: "hidden" },
    { title: "Channels", cell: ({ product }) => listInWords((product.channels ?? []).map(channelName)) },
    { title: "Price", cell: ({ product }) => pricesInWords(product), onPhone: "wide" },
    {
      title: "Seen by",
      cell: ({ keys }) => (keys === 0 ? "Nobody" : formatCount(keys, "buyer key")),
      sort: ({ keys }) => keys,
    },
    { title: "State", onPhone: "corner", cell: StateCell },
    ...(isOperator ? [WHO_SEES_IT] : []),
  ],
})

const WHO_SEES_IT: Column<ProductRow> = actionsColumn((row) => (
  <ButtonLink
    isSmall
    kind="quiet"
    href={`${productAddress(row.id)}/openings`}
    label="Who sees it"
    about={`Who sees it: ${productName(row)}`}
  />
))

function StateCell({ keys, isExpired, product }: ProductRow) {
  if (isExpired) return <Badge tone="bad" label={`Expired ${formatDate(product.expires_at?.slice(0, 10) ?? "")}`} />
  if (keys > 0) return <Badge tone="good" label="Shown" />
  return <Badge tone="off" shape="ring" label="Not shown" />
}
