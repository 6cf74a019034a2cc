import type { MissingProduct } from "../../../../actions/catalogue/preview.ts"
import type { Reading } from "../../../../domain/adcp/brief/reading.ts"
import { channelLabel } from "../../../../domain/adcp/brief/words.ts"
import { territoriesInWords } from "../../../../domain/adcp/catalogue/territory.ts"
import type { SeenProduct } from "../../../../domain/adcp/view.ts"
import { ButtonLink, Card, CopyButton } from "../../../parts/blocks.tsx"
import { formatCount, listInWords } from "../../../parts/format.tsx"
import { actionsColumn, type Column, Name, Table } from "../../../parts/table.tsx"
import { pricesInWords, productAddress, showAddress } from "./words.ts"

// More products would make the page large, and people don't read that far.
const SHOWN_MAX = 100

interface AnswerProps {
  readonly title: string
  readonly products: readonly SeenProduct[]
  /** Null without a brief. */
  readonly reading: Reading | null
  readonly keyId: string
  /** Returns the address of a product's order page. Null if this server takes no orders. */
  readonly orderLink: ((productId: string) => string) | null
}

interface Ranked {
  readonly rank: number
  readonly seen: SeenProduct
}

/** The products that an agent gets, in its order, with the reason for each. */
export function AnswerCard({ title, products, reading, keyId, orderLink }: AnswerProps) {
  const columns: (Column<Ranked> | false)[] = [
    {
      title: "Product",
      cell: ({ rank, seen: { id, product } }) => (
        <>
          <span class="soft plain">{rank}.</span> <Name href={productAddress(id)}>{product.name}</Name>
        </>
      ),
    },
    { title: "Price", cell: ({ seen }) => pricesInWords(seen.stored), onPhone: "wide" },
    reading !== null && { title: "The brief", cell: ({ seen }) => matchInWords(seen, reading), onPhone: "wide" },
    { title: "Shown in", cell: ({ seen }) => territoriesInWords(seen.territories), onPhone: "wide" },
    actionsColumn(({ seen: { id, product } }) => (
      <div class="actions">
        {orderLink !== null && orderLinks(`order-${id}`, product.name, orderLink(id))}
        <ButtonLink
          isSmall
          kind="quiet"
          href={showAddress(id, keyId)}
          label="Change countries"
          about={`Change countries: ${product.name}`}
        />
      </div>
    )),
  ]
  const rows = products.map((seen, i) => ({ rank: i + 1, seen }))
  return <ProductsCard title={title} columns={columns.filter((each) => each !== false)} rows={rows} />
}

/** To send to people. The copied text is the whole address. */
const orderLinks = (id: string, name: string, href: string) => (
  <>
    <code class="vh" id={id} aria-hidden="true">
      {href}
    </code>
    <ButtonLink isSmall kind="quiet" href={href} label="Order page" about={`Order page: ${name}`} />
    <CopyButton from={id} what={name} label="Copy order link" />
  </>
)

/** "Matches podcast." The column beside it says where the product is shown. */
function matchInWords({ stored }: SeenProduct, { channels }: Reading): string {
  const own: readonly string[] = stored.channels ?? []
  const matching = channels.filter(({ name }) => own.includes(name))
  const labels = (matching.length > 0 ? matching : channels).map(({ name }) => channelLabel(name))
  if (labels.length === 0) return "Names no channel."
  return matching.length > 0 ? `Matches ${listInWords(labels)}.` : `Doesn’t match ${listInWords(labels, 3, "or")}.`
}

interface MissingCardProps {
  readonly title: string
  readonly missing: readonly MissingProduct[]
  readonly keyId: string
}

/** The products that an agent doesn't get, and why. */
export function MissingCard({ title, missing, keyId }: MissingCardProps) {
  if (missing.length === 0) return null
  const columns: Column<MissingProduct>[] = [
    { title: "Product", cell: ({ id, name }) => <Name href={productAddress(id)}>{name ?? id}</Name> },
    { title: "Why", cell: ({ why }) => why, onPhone: "wide" },
    actionsColumn(
      ({ id, name, canShow }) =>
        canShow && (
          <ButtonLink
            isSmall
            href={showAddress(id, keyId)}
            label="Show to this buyer"
            about={`Show to this buyer: ${name}`}
          />
        ),
    ),
  ]
  return <ProductsCard title={title} columns={columns} rows={missing} />
}

interface ProductsCardProps<Row> {
  readonly title: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
}

const ProductsCard = <Row,>({ title, columns, rows }: ProductsCardProps<Row>) => (
  <Card title={title} count={formatCount(rows.length, "product")} isFlush>
    {rows.length === 0 ? (
      <p class="card-foot">No product.</p>
    ) : (
      <Table caption={title} columns={columns} rows={rows.slice(0, SHOWN_MAX)} />
    )}
    {rows.length > SHOWN_MAX && <p class="card-foot">These are the first {SHOWN_MAX}.</p>}
  </Card>
)
