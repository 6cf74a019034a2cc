import type { CampaignFigures } from "../../../domain/affiliate/affiliate-figures.ts"
import { formatMicros } from "../../../domain/affiliate/affiliate-metric.ts"
import type { ListRules } from "../../../domain/lists/list-query.ts"
import type { CodeFigures, DayFigures } from "../../../storage/port/store.ts"
import type { ListColumn } from "../lists.tsx"
import { CsvLink } from "../parts/buttons.tsx"
import { DayBars } from "../parts/charts/bars.tsx"
import { formatDate, formatMoney, formatNumber } from "../parts/format.tsx"
import { type Column, Table } from "../parts/table.tsx"

const whole = new Intl.NumberFormat("en")
const rate = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 })
const NOTHING = "–"

/** A count, which may exceed what a number can hold; a dash where none was reported. */
export const formatCount = (count: bigint | null): string => (count === null ? NOTHING : whole.format(count))

/** An exact amount; a dash where none was reported. */
export function formatAmount(micros: bigint | null, currency: string | null): string {
  return micros === null ? NOTHING : formatMoney(formatMicros(micros) as `${number}`, currency)
}

/** Conversions per click. */
export function formatRate(clicks: bigint | null, conversions: bigint | null): string {
  if (clicks === null || conversions === null || clicks === 0n) return NOTHING
  return rate.format(Number((conversions * 1_000_000n) / clicks) / 1_000_000)
}

const countText = (count: bigint | null): string | null => (count === null ? null : String(count))
const amountText = (micros: bigint | null): string | null => (micros === null ? null : formatMicros(micros))

/** For a chart, where precision does not matter. */
const asNumber = (count: bigint | null): number | null => (count === null ? null : Number(count))
const asUnits = (micros: bigint | null): number | null => (micros === null ? null : Number(micros) / 1_000_000)

type Props = Readonly<{
  days: readonly DayFigures[]
  currency: Currency
  /** The address of the same figures as a file. */
  csv?: string
}>

/** Daily figures: charts of clicks, conversions and value, and a table of all of it. */
export function DayCharts({ days, currency, csv }: Props) {
  const hasValue = currency !== "several" && days.some(({ valueMicros }) => valueMicros !== null)
  const dated = (value: (day: DayFigures) => number | null) =>
    days.map((day) => ({ date: day.date, values: [value(day)] }))
  return (
    <section class="card" aria-label="Day by day">
      {csv === undefined ? (
        <h2 class="vh">Day by day</h2>
      ) : (
        <div class="card-head">
          <h2>Day by day</h2>
          <CsvLink href={csv} />
        </div>
      )}
      <div class="cols">
        <DayBars
          title="Clicks per day"
          series={[{ label: "Clicks", tone: "b1" }]}
          days={dated(({ clicks }) => asNumber(clicks))}
          format={formatNumber}
        />
        <DayBars
          title="Conversions per day"
          series={[{ label: "Conversions", tone: "b4" }]}
          days={dated(({ conversions }) => asNumber(conversions))}
          format={formatNumber}
        />
        {hasValue && (
          <DayBars
            title={`Conversion value per day${currency === null ? "" : ` in ${currency}`}`}
            series={[{ label: "Value", tone: "b2" }]}
            days={dated(({ valueMicros }) => asUnits(valueMicros))}
            format={(value) => formatMoney(value, currency)}
            currency={currency}
          />
        )}
      </div>
      <details>
        <summary>Show as a table</summary>
        <Table
          caption="Figures day by day"
          columns={dayColumns(currency)}
          rows={days.toReversed()}
          rowKey={({ date }) => date}
        />
      </details>
    </section>
  )
}

type Counted = Pick<CodeFigures, "clicks" | "conversions" | "valueMicros" | "currency">

export const CODE_RULES: ListRules<CodeFigures> = {
  searched: ({ code, slug, line, campaignName }) => [code, slug ?? "", line, campaignName].join("\n"),
  states: {
    reported: ({ lastDate }) => lastDate !== null,
    silent: ({ lastDate }) => lastDate === null,
  },
  sorts: {
    line: ({ campaignName, line, code }) => [campaignName, line, code].join("\n"),
    code: ({ code }) => code,
    clicks: ({ clicks }) => clicks,
    conversions: ({ conversions }) => conversions,
    value: ({ valueMicros }) => valueMicros,
    day: ({ lastDate }) => lastDate,
  },
  largestFirst: ["clicks", "conversions", "value", "day"],
}

const FIGURES: readonly ListColumn<Counted>[] = [
  {
    title: "Clicks",
    sortBy: "clicks",
    cell: ({ clicks }) => formatCount(clicks),
    value: ({ clicks }) => countText(clicks),
    numeric: true,
  },
  {
    title: "Conversions",
    sortBy: "conversions",
    cell: ({ conversions }) => formatCount(conversions),
    value: ({ conversions }) => countText(conversions),
    numeric: true,
  },
  { title: "Rate", cell: ({ clicks, conversions }) => formatRate(clicks, conversions), numeric: true },
  {
    title: "Value",
    sortBy: "value",
    cell: ({ valueMicros, currency }) => formatAmount(valueMicros, currency),
    value: ({ valueMicros }) => amountText(valueMicros),
    numeric: true,
  },
]

export const campaignColumns = (base: string): readonly Column<CampaignFigures>[] => [
  {
    title: "Campaign",
    value: ({ campaignName }) => campaignName,
    href: ({ campaign }) => `${base}?campaign=${campaign}`,
  },
  { title: "Codes", value: ({ codes }) => codes, numeric: true },
  ...FIGURES,
]

export const codeColumns = (base: string): readonly ListColumn<CodeFigures>[] => [
  {
    title: "Code",
    sortBy: "code",
    value: ({ code }) => code,
    href: ({ codeId }) => `${base}/${codeId}`,
  },
  {
    title: "Line",
    sortBy: "line",
    value: ({ line }) => line,
    note: ({ isCurrent }) => !isCurrent && "Until the code was moved",
  },
  { title: "Of campaign", cell: ({ campaignName }) => campaignName },
  ...FIGURES,
  {
    title: "Last day",
    sortBy: "day",
    cell: ({ lastDate }) => (lastDate === null ? "none in this period" : formatDate(lastDate)),
    value: ({ lastDate }) => lastDate,
  },
]

export const codeCsvColumns: readonly Column<CodeFigures>[] = [
  { title: "Slug", value: ({ slug }) => slug },
  { title: "Package id", value: ({ packageId }) => packageId },
  { title: "Campaign", value: ({ campaignName }) => campaignName },
  { title: "Seller", value: ({ seller }) => seller },
  ...codeColumns(""),
  { title: "Currency", value: ({ currency }) => currency },
]

const DAY_CSV_COLUMNS: readonly Column<DayFigures>[] = [
  { title: "Date", value: ({ date }) => date },
  { title: "Clicks", value: ({ clicks }) => countText(clicks) },
  { title: "Conversions", value: ({ conversions }) => countText(conversions) },
]

const DAY_COLUMNS: readonly Column<DayFigures>[] = [
  { title: "Day", value: ({ date }) => formatDate(date) },
  { title: "Clicks", value: ({ clicks }) => formatCount(clicks), numeric: true },
  { title: "Conversions", value: ({ conversions }) => formatCount(conversions), numeric: true },
]

/** The currency of figures; null where it is not known. Values in several currencies cannot be added up, so they are left out. */
export type Currency = string | null | "several"

function dayColumns(currency: Currency): readonly Column<DayFigures>[] {
  if (currency === "several") return DAY_COLUMNS
  return [
    ...DAY_COLUMNS,
    { title: "Value", value: ({ valueMicros }) => formatAmount(valueMicros, currency), numeric: true },
  ]
}

export function dayCsvColumns(currency: Currency): readonly Column<DayFigures>[] {
  if (currency === "several") return DAY_CSV_COLUMNS
  return [...DAY_CSV_COLUMNS, { title: "Value", value: ({ valueMicros }) => amountText(valueMicros) }]
}
