import type { CampaignFigures } from "../../../domain/affiliate/affiliate-figures.ts"
import type { CodeFigures, DayFigures } from "../../../storage/port/store.ts"
import { dateInWords } from "../parts/format.tsx"
import type { ListColumn } from "../parts/listing.ts"
import { amountInWords, amountText, countInWords, countText, rateInWords } from "./amounts.ts"

type Counted = Pick<CodeFigures, "clicks" | "conversions" | "valueMicros" | "currency">

const FIGURES: readonly ListColumn<Counted>[] = [
  {
    title: "Clicks",
    cell: ({ clicks }) => countInWords(clicks),
    value: ({ clicks }) => countText(clicks),
    numeric: true,
  },
  {
    title: "Conversions",
    cell: ({ conversions }) => countInWords(conversions),
    value: ({ conversions }) => countText(conversions),
    numeric: true,
  },
  { title: "Rate", cell: ({ clicks, conversions }) => rateInWords(clicks, conversions), numeric: true },
  {
    title: "Value",
    cell: ({ valueMicros, currency }) => `${amountInWords(valueMicros)} ${currency ?? ""}`,
    value: ({ valueMicros }) => amountText(valueMicros),
    numeric: true,
  },
]

const CURRENCY: ListColumn<Counted> = {
  title: "Currency",
  cell: ({ currency }) => currency ?? "",
  value: ({ currency }) => currency,
}

export const campaignColumns = (base: string): readonly ListColumn<CampaignFigures>[] => [
  {
    title: "Campaign",
    cell: ({ campaign, campaignName }) => <a href={`${base}?campaign=${campaign}`}>{campaignName}</a>,
    value: ({ campaignName }) => campaignName,
  },
  { title: "Codes", cell: ({ codes }) => codes, value: ({ codes }) => codes, numeric: true },
  ...FIGURES,
]

export const codeColumns = (base: string): readonly ListColumn<CodeFigures>[] => [
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
    cell: ({ lastDate }) => (lastDate === null ? "none in these days" : dateInWords(lastDate)),
    value: ({ lastDate }) => lastDate,
  },
]

export const codeCsvColumns: readonly ListColumn<CodeFigures>[] = [
  { title: "Slug", cell: ({ slug }) => slug ?? "", value: ({ slug }) => slug },
  { title: "Package id", cell: ({ packageId }) => packageId, value: ({ packageId }) => packageId },
  { title: "Campaign", cell: ({ campaignName }) => campaignName, value: ({ campaignName }) => campaignName },
  { title: "Seller", cell: ({ seller }) => seller, value: ({ seller }) => seller },
  ...codeColumns(""),
  CURRENCY,
]

/** The columns of a file of days. Amounts of several currencies have no sum: then the column is left out. */
export function dayCsvColumns(currency: string | null | "several"): readonly ListColumn<DayFigures>[] {
  return currency === "several" ? DAY_COLUMNS : [...DAY_COLUMNS, VALUE_COLUMN]
}

const DAY_COLUMNS: readonly ListColumn<DayFigures>[] = [
  { title: "Date", cell: ({ date }) => date, value: ({ date }) => date },
  { title: "Clicks", cell: ({ clicks }) => countInWords(clicks), value: ({ clicks }) => countText(clicks) },
  {
    title: "Conversions",
    cell: ({ conversions }) => countInWords(conversions),
    value: ({ conversions }) => countText(conversions),
  },
]

const VALUE_COLUMN: ListColumn<DayFigures> = {
  title: "Value",
  cell: ({ valueMicros }) => amountInWords(valueMicros),
  value: ({ valueMicros }) => amountText(valueMicros),
}
