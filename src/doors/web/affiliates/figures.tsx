import type { CampaignFigures } from "../../../domain/affiliate/affiliate-figures.ts"
import { formatMicros } from "../../../domain/affiliate/affiliate-metric.ts"
import type { ListRules } from "../../../domain/lists/list-query.ts"
import type { CodeFigures, DayFigures } from "../../../storage/port/store.ts"
import { Card, CsvLink } from "../parts/blocks.tsx"
import { DayBars } from "../parts/charts/bars.tsx"
import { formatDate, formatMoney, formatNumber } from "../parts/format.tsx"
import type { Column } from "../parts/table.tsx"

// What is more than nothing is never 0%.
const rate = new Intl.NumberFormat("en", {
  ...{ style: "percent", maximumFractionDigits: 1, maximumSignificantDigits: 1, roundingPriority: "morePrecision" },
})
const NOTHING = "–"

/** A count, which may exceed what a number can hold; a dash where none was reported. */
export const formatCount = (count: bigint | null): string => (count === null ? NOTHING : formatNumber(count))

/** An exact amount; a dash where none was reported. */
export const formatAmount = (micros: bigint | null, currency: string | null): string =>
  micros === null ? NOTHING : formatMoney(formatMicros(micros) as `${number}`, currency)

export function formatRate(clicks: bigint | null, conversions: bigint | null): string {
  if (clicks === null || conversions === null || clicks === 0n) return NOTHING
  return rate.format(Number(conversions) / Number(clicks))
}

type DayChartsProps = Readonly<{ days: readonly DayFigures[]; currency: Currency; csv?: string }>

export function DayCharts({ days, currency, csv }: DayChartsProps) {
  // Numbers that are not exact: a chart shows no more.
  const barsOf = (label: string, of: (day: DayFigures) => bigint | null, unit = 1) => ({
    series: [{ label, tone: "b1" } as const],
    days: days.map((day) => ({ date: day.date, values: [of(day) === null ? null : Number(of(day)) / unit] })),
  })
  const hasValue = currency !== "several" && days.some(({ valueMicros }) => valueMicros !== null)
  return (
    <Card title="Day by day" actions={csv !== undefined && <CsvLink href={csv} />}>
      <div class="cols">
        <DayBars title="Clicks per day" {...barsOf("Clicks", ({ clicks }) => clicks)} format={formatNumber} />
        <DayBars
          title="Conversions per day"
          {...barsOf("Conversions", ({ conversions }) => conversions)}
          format={formatNumber}
        />
        {hasValue && (
          <DayBars
            title={`Conversion value per day${currency === null ? "" : ` in ${currency}`}`}
            {...barsOf("Value", ({ valueMicros }) => valueMicros, 1_000_000)}
            format={(value) => formatMoney(value, currency)}
            currency={currency}
          />
        )}
      </div>
    </Card>
  )
}

type Counted = Pick<CodeFigures, "clicks" | "conversions" | "valueMicros" | "currency">

export const CODE_RULES: ListRules<CodeFigures> = {
  searched: ({ code, slug, line, campaignName }) => [code, slug ?? "", line, campaignName].join("\n"),
  states: { reported: ({ lastDate }) => lastDate !== null, silent: ({ lastDate }) => lastDate === null },
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

const counted = (title: string, key: "clicks" | "conversions"): Column<Pick<Counted, typeof key>> => ({
  title,
  sortBy: key,
  cell: (row) => formatCount(row[key]),
  value: (row) => row[key]?.toString() ?? null,
  numeric: true,
})

const COUNTS = [counted("Clicks", "clicks"), counted("Conversions", "conversions")]

const amountText = ({ valueMicros }: Pick<Counted, "valueMicros">) =>
  valueMicros === null ? null : formatMicros(valueMicros)

const FIGURES: readonly Column<Counted>[] = [
  ...COUNTS,
  { title: "Rate", cell: ({ clicks, conversions }) => formatRate(clicks, conversions), numeric: true },
  {
    title: "Value",
    sortBy: "value",
    cell: ({ valueMicros, currency }) => formatAmount(valueMicros, currency),
    value: amountText,
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

/** `period` is the query for the days that are shown: a code's page shows the same. */
export const codeColumns = (base: string, period: string): readonly Column<CodeFigures>[] => [
  { title: "Code", sortBy: "code", value: ({ code }) => code, href: ({ codeId }) => `${base}/${codeId}${period}` },
  {
    title: "Line",
    sortBy: "line",
    value: ({ line }) => line,
    note: ({ isCurrent }) => !isCurrent && "Until the code was moved",
  },
  { title: "Campaign", cell: ({ campaignName }) => campaignName },
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
  { title: "Line ID for the API", value: ({ packageId }) => packageId },
  { title: "Campaign", value: ({ campaignName }) => campaignName },
  { title: "Seller", value: ({ seller }) => seller },
  ...codeColumns("", ""),
  { title: "Currency", value: ({ currency }) => currency },
]

/** The currency of figures; null where it is not known. Values in several currencies cannot be added up, so they are left out. */
export type Currency = string | null | "several"

export const dayCsvColumns = (currency: Currency): readonly Column<DayFigures>[] => [
  { title: "Date", value: ({ date }) => date },
  ...COUNTS,
  ...(currency === "several" ? [] : [{ title: "Value", value: amountText }]),
]
