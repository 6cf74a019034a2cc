import { COUNTED_BASES, UNITS } from "../campaign/pricing-basis.ts"
import { AFFILIATE_CODES_CSV, AFFILIATE_METRICS_CSV, type CsvKind, DELIVERY_CSV } from "../csv/csv-rows.ts"

export const UPLOAD_KINDS = ["delivery", "affiliate_codes", "affiliate_metrics"] as const
export type UploadKind = (typeof UPLOAD_KINDS)[number]

export function isUploadKind(value: string): value is UploadKind {
  return (UPLOAD_KINDS as readonly string[]).includes(value)
}

export interface Meaning {
  /** As the API calls the field; `external_id` is the seller's own id of a line. */
  readonly name: string
  readonly label: string
  /** Other names that mean it, in lower case and without spaces. */
  readonly aliases: readonly string[]
}

export interface UploadFormat {
  readonly label: string
  readonly csv: CsvKind
  readonly meanings: readonly Meaning[]
  /** Of each of these, one is needed. */
  readonly needed: readonly (readonly string[])[]
}

export const EXTERNAL_ID = "external_id"
export const LINE_NAME = "line_name"

const LINE_IDS = ["lineid", "orderline", "orderlineid", "lineitemid", "lineitem", "line", "yourlineid", "placementid"]
const OUTSIDE_ID: Meaning = { name: EXTERNAL_ID, label: "Your line ID", aliases: LINE_IDS }
const NAME: Meaning = { name: LINE_NAME, label: "Line name", aliases: ["linename", "lineitemname", "orderlinename"] }
const DAYS = ["day", "date", "datum", "tag", "measured", "measuredon", "asof", "reportdate"]

export const UPLOAD_FORMATS: Readonly<Record<UploadKind, UploadFormat>> = {
  delivery: {
    label: "Delivery totals",
    csv: DELIVERY_CSV,
    meanings: [
      { name: "package_id", label: "Package ID", aliases: ["package"] },
      OUTSIDE_ID,
      NAME,
      ...UNITS.map((name) => ({ name, label: COUNTED_BASES[name].label, aliases: COUNTED_BASES[name].aliases })),
      { name: "as_of", label: "Measured", aliases: DAYS },
    ],
    needed: [["package_id", EXTERNAL_ID, LINE_NAME]],
  },
  affiliate_codes: {
    label: "Affiliate codes",
    csv: AFFILIATE_CODES_CSV,
    meanings: [
      { name: "packageId", label: "Package ID", aliases: ["package"] },
      OUTSIDE_ID,
      NAME,
      { name: "code", label: "Code", aliases: ["promocode", "vouchercode", "affiliatecode", "coupon"] },
      { name: "slug", label: "Slug", aliases: ["path"] },
    ],
    needed: [["packageId", EXTERNAL_ID, LINE_NAME], ["code"]],
  },
  affiliate_metrics: {
    label: "Affiliate figures",
    csv: AFFILIATE_METRICS_CSV,
    meanings: [
      { name: "code", label: "Code", aliases: ["promocode", "vouchercode", "affiliatecode", "coupon"] },
      { name: "date", label: "Day", aliases: DAYS },
      { name: "clicks", label: "Clicks", aliases: ["visits"] },
      { name: "conversions", label: "Conversions", aliases: ["orders", "sales"] },
      { name: "conversionValue", label: "Conversion value", aliases: ["value", "revenue", "ordervalue"] },
    ],
    needed: [["code"], ["date"]],
  },
}

/** What the columns of a file mean, by what was remembered, by our own names, and by names that usually mean the same. */
export function guessColumns(kind: UploadKind, header: readonly string[], remembered: ReadonlyMap<string, string>) {
  const { meanings, needed } = UPLOAD_FORMATS[kind]
  const named = header.map((name) => remembered.get(name) ?? ourMeaning(kind, name))
  // Where one of several meanings is needed, a column that has it leaves nothing to guess.
  const alternatives = (meaning: string | null) =>
    needed.find((choice) => choice.some((name) => name === meaning)) ?? []
  const taken = new Set(named.flatMap((meaning) => (meaning ? [meaning, ...alternatives(meaning)] : [])))
  const columns = header.map((name, i) => {
    const sure = named[i]
    if (sure != null) return sure
    const plain = plainName(name)
    const guess =
      meanings.find((candidate) => !taken.has(candidate.name) && candidate.aliases.includes(plain))?.name ?? ""
    if (guess !== "") for (const meaning of [guess, ...alternatives(guess)]) taken.add(meaning)
    return guess
  })
  const isGuessed = columns.some((meaning, i) => meaning !== "" && named[i] == null)
  // Nobody has to be asked where the columns have our names, or somebody matched them before.
  return { columns, isSure: !isGuessed && columnsProblem(kind, columns) === undefined }
}

const plainName = (name: string) => name.toLowerCase().replace(/[^\p{L}\d]/gu, "")

/** The meaning whose name a column has, in whatever case: "Impressions", "package ID". Null for other names. */
export function ourMeaning(kind: UploadKind, column: string): string | null {
  const plain = plainName(column)
  const isIt = ({ name, label }: Meaning) => plainName(name) === plain || plainName(label) === plain
  return UPLOAD_FORMATS[kind].meanings.find(isIt)?.name ?? null
}

const eitherOf = new Intl.ListFormat("en-GB", { type: "disjunction" })
const allOf = new Intl.ListFormat("en-GB", { type: "conjunction" })

export function columnsProblem(kind: UploadKind, columns: readonly string[]): string | undefined {
  const { meanings, needed } = UPLOAD_FORMATS[kind]
  const labelOf = (name: string) => meanings.find((meaning) => meaning.name === name)?.label ?? name
  const given = columns.filter((meaning) => meaning !== "")
  const unknown = given.find((meaning) => !meanings.some(({ name }) => name === meaning))
  if (unknown !== undefined) return "Choose one of the meanings in the list."
  const twice = given.find((meaning, i) => given.indexOf(meaning) !== i)
  if (twice !== undefined) return `Two columns mean “${labelOf(twice)}”. Choose one of them.`
  for (const choice of needed) {
    const count = choice.filter((meaning) => given.includes(meaning)).length
    const labels = choice.map((name) => `“${labelOf(name)}”`)
    if (count === 0) return `Say which column is ${eitherOf.format(labels)}.`
    if (count > 1) return `Choose only one of ${allOf.format(labels)}.`
  }
  return undefined
}
