import type { CampaignFigures } from "../../../domain/affiliate/affiliate-figures.ts"
import type { ListRules } from "../../../domain/lists/list-query.ts"
import type { CodeFigures, DayFigures } from "../../../storage/port/store.ts"
import type { ListColumn } from "../lists/list-view.tsx"
import { formatDate } from "../parts/format.tsx"
import type { Column } from "../parts/table/table.tsx"
import { amountText, countText, formatAmount, formatCount, formatRate } from "./amounts.ts"

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
    cell: ({ campaign, campaignName }) => <a href={`${base}?campaign=${campaign}`}>{campaignName}</a>,
    value: ({ campaignName }) => campaignName,
  },
  { title: "Codes", value: ({ codes }) => codes, numeric: true },
  ...FIGURES,
]

export const codeColumns = (base: string): readonly ListColumn<CodeFigures>[] => [
  {
    title: "Code",
    sortBy: "code",
    cell: ({ codeId, code }) => (
      <a class="name" href={`${base}/${codeId}`}>
        {code}
      </a>
    ),
    value: ({ code }) => code,
  },
  {
    title: "Line",
    sortBy: "line",
    cell: ({ line, isCurrent }) => (
      <>
        {line}
        {!isCurrent && <small>Until the code was moved</small>}
      </>
    ),
    value: ({ line }) => line,
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

export function dayColumns(currency: Currency): readonly Column<DayFigures>[] {
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
