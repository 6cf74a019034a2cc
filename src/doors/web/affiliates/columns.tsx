import type { CampaignFigures } from "../../../domain/affiliate/affiliate-figures.ts"
import type { CodeFigures, DayFigures } from "../../../storage/port/store.ts"
import { formatDate } from "../parts/format.tsx"
import type { Column } from "../parts/table/table.tsx"
import { amountText, countText, formatAmount, formatCount, formatRate } from "./amounts.ts"

type Counted = Pick<CodeFigures, "clicks" | "conversions" | "valueMicros" | "currency">

const FIGURES: readonly Column<Counted>[] = [
  {
    title: "Clicks",
    cell: ({ clicks }) => formatCount(clicks),
    value: ({ clicks }) => countText(clicks),
    numeric: true,
  },
  {
    title: "Conversions",
    cell: ({ conversions }) => formatCount(conversions),
    value: ({ conversions }) => countText(conversions),
    numeric: true,
  },
  { title: "Rate", cell: ({ clicks, conversions }) => formatRate(clicks, conversions), numeric: true },
  {
    title: "Value",
    cell: ({ valueMicros, currency }) => `${formatAmount(valueMicros)} ${currency ?? ""}`,
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

export const codeColumns = (base: string): readonly Column<CodeFigures>[] => [
  {
    title: "Code",
    cell: ({ codeId, code, slug }) => (
      <>
        <a href={`${base}/${codeId}`}>{code}</a>
        {slug !== null && <div class="soft">{slug}</div>}
      </>
    ),
    value: ({ code }) => code,
  },
  {
    title: "Line",
    cell: ({ line, campaignName }) => (
      <>
        {line}
        <div class="soft">{campaignName}</div>
      </>
    ),
    value: ({ line }) => line,
  },
  ...FIGURES,
  {
    title: "Last day",
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
  return [...DAY_COLUMNS, { title: "Value", value: ({ valueMicros }) => formatAmount(valueMicros), numeric: true }]
}

export function dayCsvColumns(currency: Currency): readonly Column<DayFigures>[] {
  if (currency === "several") return DAY_CSV_COLUMNS
  return [...DAY_CSV_COLUMNS, { title: "Value", value: ({ valueMicros }) => amountText(valueMicros) }]
}
