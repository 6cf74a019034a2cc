import { worthsOf } from "../../../domain/campaign/campaign-summary.ts"
import { lineValue, stateOf } from "../../../domain/campaign/line-state.ts"
import type { DeliveryTotal } from "../../../domain/delivery/delivery.ts"
import { isSameTotal } from "../../../domain/delivery/withdrawal.ts"
import type { FlyingLine } from "../../../storage/port/store.ts"
import { lineHref } from "../campaigns/with-line.ts"
import { formatChange } from "../parts/charts/total-chart.tsx"
import { formatNumber, formatSum, listInWords } from "../parts/format.tsx"
import { StateBadge } from "../parts/line.tsx"
import type { Column } from "../parts/table.tsx"
import type { OrganizationVisit } from "../visit.ts"

export interface ChangedLine {
  readonly id: number
  readonly name: string
  readonly note: string
  /** Undefined once it has been deleted. */
  readonly line: FlyingLine | undefined
  readonly before: DeliveryTotal | null
  readonly total: DeliveryTotal
}

export function changeColumns(visit: OrganizationVisit): Column<ChangedLine>[] {
  const isFlat = ({ line }: ChangedLine) => line?.pricingBasis === "flat_rate"
  return [
    {
      title: "Line",
      value: ({ name }) => name,
      href: ({ line }) => line && lineHref(visit, line),
      note: ({ note }) => note,
    },
    { title: "State", narrow: "corner", cell: ({ line }) => line && <StateBadge state={stateOf(line, visit.now)} /> },
    {
      title: "Before",
      numeric: true,
      cell: (row) => <span class="soft">{isFlat(row) ? "not delivered" : totalText(row.before)}</span>,
    },
    { title: "Now", numeric: true, cell: Now },
    {
      title: "Change",
      numeric: true,
      cell: (row) => !isFlat(row) && !isLate(row) && formatChange(row.total.quantity - (row.before?.quantity ?? 0)),
    },
    { title: "Value so far", numeric: true, cell: Value },
  ]
}

export const totalText = (total: DeliveryTotal | null) => (total === null ? "None yet" : formatNumber(total.quantity))

/** Measured before the total that counts, so that it changes nothing. */
export const isLate = ({ before, total }: Pick<ChangedLine, "before" | "total">) =>
  before !== null && total.asOf < before.asOf

export const KEPT_IN_HISTORY = "Kept in the history; a newer total counts."

type Reported = readonly Pick<ChangedLine, "line" | "before" | "total">[]

/** What lines are worth with their new totals, and by how much that grew, in each currency. */
function worthNow(reported: Reported) {
  const rows = reported.flatMap((row) => (row.line === undefined ? [] : [{ ...row, line: row.line }]))
  const before = worthsOf(rows.map((row) => ({ ...row.line, total: row.before })))
  const worthBefore = new Map(before.map(({ currency, delivered }) => [currency, delivered]))
  const now = worthsOf(rows.map((row) => ({ ...row.line, total: isLate(row) ? row.before : row.total })))
  return now.map(({ currency, delivered }) => {
    const by = delivered - (worthBefore.get(currency) ?? 0)
    return { worth: formatSum(delivered, currency), grown: by > 0 ? formatSum(by, currency) : "" }
  })
}

/** What new totals add to what their lines are worth; empty where no line has a price. */
export function grownBy(reported: Reported): string {
  const all = worthNow(reported).flatMap(({ grown }) => grown || [])
  return listInWords(all, all.length)
}

/** The last row: of several lines with a price. */
export function changeTotals(reported: Reported) {
  const worths = worthNow(reported)
  if (reported.length < 2 || worths.length === 0) return undefined
  const cells = worths.map(({ worth, grown }) => (
    <div>
      {worth}
      {grown !== "" && <small>+{grown}</small>}
    </div>
  ))
  return { Line: `These ${formatNumber(reported.length)} lines`, "Value so far": cells }
}

/** Total: +13,294 impressions and +4,457 downloads, worth €310.20. */
export function sumText(rows: Reported): string {
  const counted = rows.filter((row) => row.line?.pricingBasis !== "flat_rate" && !isLate(row))
  const units = [...Map.groupBy(counted, ({ line }) => line?.pricingBasis)].flatMap(([unit, some]) => {
    const difference = some.reduce((sum, { before, total }) => sum + total.quantity - (before?.quantity ?? 0), 0)
    return difference === 0 ? [] : [`${formatChange(difference)} ${unit}`]
  })
  const worth = grownBy(rows)
  const parts = [listInWords(units, units.length), worth && `worth ${worth}`].filter(Boolean)
  return parts.length === 0 ? "" : `Total: ${parts.join(", ")}.`
}

function Now({ line, total, before }: ChangedLine) {
  const basis = line?.pricingBasis
  const isOlder = line !== undefined && !(line.total !== null && isSameTotal(line.total, total))
  return [
    <b>{basis === "flat_rate" ? "delivered" : formatNumber(total.quantity)}</b>,
    <small>
      {isLate({ before, total }) ? KEPT_IN_HISTORY : isOlder ? "there is a newer total" : basis?.replace("_", " ")}
    </small>,
  ]
}

function Value({ line, total, before }: ChangedLine) {
  const now = line === undefined ? null : lineValue({ ...line, total: isLate({ before, total }) ? before : total })
  const was = line === undefined ? null : lineValue({ ...line, total: before })
  if (line === undefined || now === null || was === null) return <span class="soft">–</span>
  return [formatSum(now, line.currency), now > was && <small>+{formatSum(now - was, line.currency)}</small>]
}
