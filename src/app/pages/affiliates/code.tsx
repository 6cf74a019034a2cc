import { recordAffiliateMetrics, removeCode } from "../../../actions/affiliates.ts"
import { Decimal, type Figures, formatMicros } from "../../../domain/affiliate.ts"
import { formSource } from "../../../domain/delivery/delivery.ts"
import { dayBefore, isDate } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import { readNumber } from "../../../domain/typed-number.ts"
import { goTo } from "../../flash.ts"
import { askFirst } from "../../forms/ask.tsx"
import type { FormOf, Texts } from "../../forms/form.ts"
import { page } from "../../page.tsx"
import { ButtonLink, Card, CsvLink, Empty, Facts } from "../../parts/blocks.tsx"
import { DayBars } from "../../parts/charts/small-charts.tsx"
import { Field } from "../../parts/fields.tsx"
import { Form } from "../../parts/form.tsx"
import { dotted, formatDate, formatNumber, listInWords } from "../../parts/format.tsx"
import type { Column } from "../../parts/table.tsx"
import { homeOf, type MemberVisit, NotFound } from "../../visit.ts"
import { type CodeRow, type DayRow, type FoundCode, findCode, sumsBy } from "./codes.ts"

const NOTHING = "–"

const countInWords = (count: bigint | null): string => (count === null ? NOTHING : formatNumber(count))

const RATE = new Intl.NumberFormat("en", {
  style: "percent",
  maximumFractionDigits: 1,
  // A small rate must not be rounded to 0%.
  maximumSignificantDigits: 1,
  roundingPriority: "morePrecision",
})

/** How many clicks became conversions: "2.4%". */
function rateInWords({ clicks, conversions }: Figures): string {
  if (clicks === null || conversions === null || clicks === 0n) return NOTHING
  return RATE.format(Number(conversions) / Number(clicks))
}

/** An exact amount. Without a currency it's a plain number. */
function valueInWords({ valueMicros }: Figures, currency: string | null): string {
  if (valueMicros === null) return NOTHING
  const style = currency === null ? { minimumFractionDigits: 2 } : ({ style: "currency", currency } as const)
  const format = new Intl.NumberFormat("en", { maximumFractionDigits: 6, ...style })
  return format.format(formatMicros(valueMicros) as `${number}`)
}

const decimalOf = ({ valueMicros }: Figures): string | null => (valueMicros === null ? null : formatMicros(valueMicros))

/** The columns that every list of figures has. */
export const figureColumns = <Row extends Figures>(currencyOf: (row: Row) => string | null): Column<Row>[] => [
  {
    title: "Clicks",
    isNumber: true,
    cell: ({ clicks }) => countInWords(clicks),
    sort: ({ clicks }) => (clicks === null ? null : Number(clicks)),
    csv: ({ clicks }) => clicks?.toString() ?? null,
  },
  {
    title: "Conversions",
    isNumber: true,
    cell: ({ conversions }) => countInWords(conversions),
    sort: ({ conversions }) => (conversions === null ? null : Number(conversions)),
    csv: ({ conversions }) => conversions?.toString() ?? null,
  },
  { title: "Rate", isNumber: true, cell: rateInWords },
  {
    title: "Value",
    isNumber: true,
    cell: (row) => valueInWords(row, currencyOf(row)),
    sort: ({ valueMicros }) => (valueMicros === null ? null : Number(valueMicros)),
    csv: decimalOf,
  },
]

interface ClicksProps {
  readonly days: readonly DayRow[]
  /** Whether they are all of a card. */
  readonly isAlone?: boolean
}

export const ClicksPerDay = ({ days, isAlone = false }: ClicksProps) => (
  <DayBars
    title="Clicks per day"
    isAlone={isAlone}
    series={[{ label: "Clicks", tone: "b1" }]}
    days={sumsBy(days, ({ date }) => date).map(([date, { clicks }]) => ({
      date,
      values: [clicks === null ? null : Number(clicks)],
    }))}
    format={formatNumber}
  />
)

const affiliatesAddress = (visit: MemberVisit) => `${homeOf(visit)}/affiliates`

async function findInPath(visit: MemberVisit): Promise<FoundCode> {
  const found = await findCode(visit, Number(visit.params["code"]))
  if (found === null) throw new NotFound()
  return found
}

/** The figures of a code, and the form for one of its days. */
export const codeForm: FormOf<MemberVisit, FoundCode> = {
  find: findInPath,
  begin: ({ now, timeZone }) => ({ texts: { day: dayBefore(dayOf(now, timeZone)) } }),
  view(visit, found, form) {
    const { id, code, days, isOwn } = found
    const address = affiliatesAddress(visit)
    return page(visit, {
      title: code,
      trail: [{ href: address, label: "Affiliates" }],
      intro: dotted(...found.rows.map(rowInWords)),
      actions: <Actions address={address} found={found} search={visit.url.search} />,
      form,
      body: (
        <>
          <Sums found={found} />
          {days.length === 0 ? (
            <Empty
              title="No figures in this period"
              text="Daily clicks and conversions appear here once they are reported."
            />
          ) : (
            <Card label="Day by day">
              <ClicksPerDay days={days} isAlone />
            </Card>
          )}
          {isOwn && <DayForm action={`${address}/${id}`} />}
        </>
      ),
    })
  },
  async save(visit, { id, code, isOwn }, texts) {
    if (!isOwn) throw new NotFound()
    const read = readDay(texts, code)
    if ("errors" in read) return read
    const reporter = { sellerId: visit.organization.id, source: formSource(visit.actor) }
    const { errors } = await recordAffiliateMetrics(visit.context, reporter, [read.row], { isDryRun: false })
    const [rejection] = errors
    if (rejection !== undefined) return { errors: { day: REJECTIONS[rejection.reason] ?? rejection.message } }
    const done = `The figures of ${formatDate(read.row.date)} are saved.`
    return goTo(visit, `${affiliatesAddress(visit)}/${id}`, done)
  },
}

const REJECTIONS: Readonly<Record<string, string>> = { date_in_future: "This day hasn’t begun yet." }

const rowInWords = ({ isCurrent, line, slug }: FoundCode["rows"][number]): string =>
  `${isCurrent ? "" : "Before it was moved: "}${line.name}, ${line.campaign.name}${slug === null ? "" : `, slug ${slug}`}`

interface ActionsProps {
  readonly address: string
  readonly found: FoundCode
  readonly search: string
}

/** The buyer sees the figures of a code as well, so only a code without figures can be deleted. */
function Actions({ address, found: { id, days, isOwn, hasFigures }, search }: ActionsProps) {
  const query = new URLSearchParams(search)
  query.set("code", String(id))
  return (
    <>
      {days.length > 0 && <CsvLink href={`${address}/days.csv?${query}`} />}
      {isOwn && !hasFigures && (
        <ButtonLink kind="quiet danger" href={`${address}/${id}/delete`} label="Delete code" isAsked />
      )}
    </>
  )
}

const Sums = ({ found: { rows, sums, period } }: { readonly found: FoundCode }) => (
  <Card
    title={`${formatDate(period.from)} – ${formatDate(period.to)}`}
    actions={<a href="?first=2000-01-01">All days</a>}
  >
    <Facts
      facts={[
        { term: "Clicks", value: countInWords(sums.clicks) },
        { term: "Conversions", value: countInWords(sums.conversions) },
        { term: "Rate", value: rateInWords(sums) },
        { term: "Value", value: valuesInWords(rows) },
      ]}
    />
  </Card>
)

/** Values in several currencies don't add up. */
function valuesInWords(rows: readonly CodeRow[]): string {
  const valued = rows.filter(({ valueMicros }) => valueMicros !== null)
  const sums = sumsBy(valued, ({ line }) => line.currency)
  return sums.length === 0 ? NOTHING : listInWords(sums.map(([currency, sum]) => valueInWords(sum, currency)))
}

const DayForm = ({ action }: { readonly action: string }) => (
  <Card title="Report a day">
    <Form action={action} submit="Save figures" note="An empty field keeps what is stored for that day.">
      <div class="fields">
        <Field name="day" label="Day" type="date" required />
        <Field name="clicks" label="Clicks" inputmode="numeric" />
        <Field name="conversions" label="Conversions" inputmode="numeric" />
        <Field name="value" label="Value" inputmode="decimal" />
      </div>
    </Form>
  </Card>
)

const FIGURES = {
  clicks: { field: "clicks", isWhole: true },
  conversions: { field: "conversions", isWhole: true },
  value: { field: "conversionValue", isWhole: false },
} as const

/** What was typed, as a row of the feed. */
function readDay(texts: Texts, code: string) {
  const { day = "" } = texts
  const errors: Record<string, string> = isDate(day) ? {} : { day: "Enter a day, such as 2026-11-14." }
  const figures: Record<string, unknown> = {}
  for (const [name, { field, isWhole }] of Object.entries(FIGURES)) {
    const text = texts[name] ?? ""
    if (text === "") continue
    const read = readNumber(text, { isWhole })
    if ("error" in read) errors[name] = read.error
    // With every digit, as from JSON.
    else figures[field] = isWhole ? read.value : new Decimal(String(read.value))
  }
  if (Object.keys(figures).length + Object.keys(errors).length === 0) errors["clicks"] = "Enter at least one figure."
  return Object.keys(errors).length > 0 ? { errors } : { row: { code, date: day, ...figures } }
}

export const deleteCodeForm = askFirst<MemberVisit, FoundCode>({
  async find(visit) {
    const found = await findInPath(visit)
    if (!found.isOwn || found.hasFigures) throw new NotFound()
    return found
  },
  ask: (visit, { id, code }) => ({
    title: `Delete ${code}?`,
    text: "New figures for it will be rejected. This can’t be undone.",
    submit: "Delete code",
    cancel: `${affiliatesAddress(visit)}/${id}`,
  }),
  async act(visit, { id, code }) {
    const { context, actor, organization } = visit
    const isDeleted = await removeCode(context, actor, { organizationId: organization.id, id, code })
    const text = isDeleted ? `${code} is deleted.` : `${code} has figures by now, so it can’t be deleted.`
    return goTo(visit, affiliatesAddress(visit), text)
  },
})
