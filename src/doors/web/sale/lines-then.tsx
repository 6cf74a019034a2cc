import { stateOf } from "../../../domain/campaign/line-state.ts"
import { courseOf } from "../../../domain/delivery/line-course.ts"
import { daysOf, termsNow } from "../../../domain/sale/order.ts"
import type { FlyingLine, Order } from "../../../storage/port/store.ts"
import { sparklinePoints } from "../campaigns/line-table.tsx"
import { lineHref } from "../campaigns/with-line.ts"
import { Banner, Card } from "../parts/blocks.tsx"
import { formatCount, formatFlight, formatShortDate } from "../parts/format.tsx"
import { campaignAndBuyer, DeliveredCell, LineBadge, needText } from "../parts/line.tsx"
import { BareTable } from "../parts/table.tsx"
import { aDay } from "../parts/terms.tsx"
import type { OrganizationVisit } from "../visit.ts"

// Whether there is room for an order: which lines of the same product run in its days.

const LINES_SHOWN_MAX = 25

/** Lines do not say which product they are of: those that were ordered count, and those that have its name. */
export async function linesThen({ context: { store }, organization }: OrganizationVisit, order: Order) {
  const { from, to } = termsNow(order)
  const heads = await store.campaigns.listedInFlight(organization.id, { from, to })
  const then = new Set(heads.map(({ lineId }) => lineId))
  const orders = await store.orders.list({ sellerId: organization.id, withUnowned: false })
  const others = orders.filter(({ productId, id }) => productId === order.productId && id !== order.id)
  const packageIds = others.flatMap(({ packageId }) => packageId ?? [])
  const ordered = await store.packageLines.findSold(organization.id, packageIds)
  const named = heads.filter(({ name }) => name === order.product.name).map(({ lineId }) => lineId)
  const ids = new Set([...named, ...ordered.flatMap((line) => (line && then.has(line.lineId) ? line.lineId : []))])
  const lines = await store.campaigns.flyingLines(organization.id, [...ids].slice(0, LINES_SHOWN_MAX))
  return lines.filter(({ packageId }) => packageId !== order.packageId)
}

export function linesTable(visit: OrganizationVisit, { asked }: Order, lines: readonly FlyingLine[]) {
  if (lines.length === 0) return null
  const overlap = ({ flightStart, flightEnd }: FlyingLine) =>
    daysOf({
      from: flightStart > asked.from ? flightStart : asked.from,
      to: flightEnd !== null && flightEnd < asked.to ? flightEnd : asked.to,
    })
  return (
    <Card flush title={`${formatCount(lines.length, "line runs", "lines run")} at that time`}>
      <BareTable<FlyingLine>
        caption="Lines of this product"
        columns={[
          { title: "Line", value: ({ name }) => name, href: (line) => lineHref(visit, line), note: campaignAndBuyer },
          { title: "State", narrow: "corner", cell: (line) => <LineBadge line={line} now={visit.now} /> },
          { title: "Delivered", narrow: "span", cell: (line) => <DeliveredCell line={line} now={visit.now} /> },
          { title: "Dates", cell: ({ flightStart, flightEnd }) => formatFlight(flightStart, flightEnd, "-") },
          { title: "Overlap", numeric: true, cell: (line) => formatCount(overlap(line), "day") },
        ]}
        rows={lines}
      />
    </Card>
  )
}

/** What a seller asks first: whether there is room. */
export async function roomFor(visit: OrganizationVisit, order: Order, lines: readonly FlyingLine[]) {
  const { product, asked, priced } = order
  const behind = lines.filter((line) => stateOf(line, visit.now) === "behind")
  const points = await sparklinePoints(visit, behind)
  const sentences = behind.map((line) => {
    const days = points.get(line.lineId) ?? []
    const { forecast } = courseOf(line, days, line.seller.timeZone, Number.POSITIVE_INFINITY)
    return `${line.campaign.name} ${needText(forecast, ` ${line.pricingBasis}`) ?? "is behind plan"}.`
  })
  const others = formatCount(lines.length, "other line of it runs", "other lines of it run").replace(/^0/, "No")
  if (sentences.length === 0) sentences.push(`${others} at that time.`)
  const adds = priced.counted && `This order adds ${aDay(asked)} from ${formatShortDate(asked.from)}.`
  const ends = behind.map(({ flightEnd }) => flightEnd ?? asked.to)
  const until = ends.toSorted().at(-1)
  return (
    <Banner tone={until === undefined ? "info" : "warn"}>
      {until !== undefined && (
        <h2>
          {product.name} is short until {formatShortDate(until)}
        </h2>
      )}
      <p>{[...sentences.slice(0, 3), adds].filter(Boolean).join(" ")}</p>
    </Banner>
  )
}
