import { COUNTED_BASES, isUnit, UNITS } from "../campaign/pricing-basis.ts"
import { CONVERSION_VALUE, type NumberField, WHOLE } from "../text/typed-number.ts"

export const UPLOAD_KINDS = ["delivery", "affiliate_codes", "affiliate_metrics"] as const
export type UploadKind = (typeof UPLOAD_KINDS)[number]

export const isUploadKind = (value: string): value is UploadKind => UPLOAD_KINDS.some((kind) => kind === value)

export interface Meaning {
  /** As the API calls the field; `external_id` is the seller's own id of a line. */
  readonly name: string
  readonly label: string
  /** Other names that mean it, in lower case and without spaces. */
  readonly aliases: readonly string[]
  /** Words in a heading that suggest it. */
  readonly words: readonly string[]
  /** How its numbers are read; undefined for text and days. */
  readonly number?: NumberField | undefined
}

export interface UploadFormat {
  readonly label: string
  readonly meanings: readonly Meaning[]
  /** Of each of these, one is needed. */
  readonly needed: readonly (readonly string[])[]
}

export const EXTERNAL_ID = "external_id"
export const LINE_NAME = "line_name"
const AS_OF = "as_of"

/** Of aliases and words in one text each. */
function meaning(name: string, label: string, aliases: string, words = "", number?: NumberField): Meaning {
  return { name, label, aliases: aliases.split(" "), words: words === "" ? [] : words.split(" "), number }
}

const OUTSIDE_ID = meaning(
  EXTERNAL_ID,
  "Your line ID",
  "lineid orderline orderlineid lineitemid lineitem line yourlineid placementid",
  "id line placement campaign kampagne campagne campaña flight order auftrag position buchung",
)
const NAME = meaning(
  LINE_NAME,
  "Line name",
  "linename lineitemname orderlinename",
  "name line placement campaign kampagne campagne campaña flight title titel titre título episode folge épisode",
)
const DAYS = "day date datum tag measured measuredon asof reportdate fecha jour día"
const DAY_WORDS = "day date datum tag stand measured fecha día jour time zeitpunkt"
const PACKAGE = "package"
const VALUES = "value revenue ordervalue"
const CODES = "promocode vouchercode affiliatecode coupon gutscheincode rabattcode codepromo"

export const UPLOAD_FORMATS: Readonly<Record<UploadKind, UploadFormat>> = {
  delivery: {
    label: "Delivery totals",
    meanings: [
      meaning("package_id", "Line ID for the API", PACKAGE),
      OUTSIDE_ID,
      NAME,
      ...UNITS.map((name) => ({ name, ...COUNTED_BASES[name] })),
      meaning(AS_OF, "Day", DAYS, DAY_WORDS),
    ],
    needed: [["package_id", EXTERNAL_ID, LINE_NAME]],
  },
  affiliate_codes: {
    label: "Affiliate codes",
    meanings: [
      meaning("packageId", "Line ID for the API", PACKAGE),
      OUTSIDE_ID,
      NAME,
      meaning("code", "Code", CODES, "code coupon"),
      meaning("slug", "Slug", "path", "slug"),
    ],
    needed: [["packageId", EXTERNAL_ID, LINE_NAME], ["code"]],
  },
  affiliate_metrics: {
    label: "Affiliate figures",
    meanings: [
      meaning("code", "Code", CODES, "code coupon affiliate partner"),
      meaning("date", "Day", DAYS, DAY_WORDS),
      meaning("clicks", "Clicks", "visits", "clicks klicks visits", WHOLE),
      meaning("conversions", "Conversions", "orders sales", "conversions orders sales bestellungen", WHOLE),
      meaning("conversionValue", "Conversion value", VALUES, "revenue value umsatz", CONVERSION_VALUE),
    ],
    needed: [["code"], ["date"]],
  },
}

/** Whether a column with this meaning has days. */
export const isDays = (meaning: string) => meaning === AS_OF || meaning === "date"

export const meaningOf = (kind: UploadKind, name: string): Meaning | undefined =>
  UPLOAD_FORMATS[kind].meanings.find((meaning) => meaning.name === name)

/** The columns with the names of the API's fields. */
export const apiColumns = (kind: UploadKind): string[] =>
  UPLOAD_FORMATS[kind].meanings.map(({ name }) => name).filter((name) => name !== EXTERNAL_ID && name !== LINE_NAME)

/**
 * What the columns of a file mean, by our own names, by names that mean the same, and, where nothing is counted, by words in them. What is
 * counted is never chosen by likeness: `figuresIn` says which columns may be it.
 */
export function guessColumns(kind: UploadKind, header: readonly string[]) {
  const { meanings, needed } = UPLOAD_FORMATS[kind]
  const named = header.map((name) => ourMeaning(kind, name))
  // Where one of several meanings is needed, a column that has it leaves nothing to guess.
  const alternatives = (meaning: string | null) =>
    needed.find((choice) => choice.some((name) => name === meaning)) ?? []
  const columns = named.map((meaning) => meaning ?? "")
  const taken = new Set(columns.flatMap((meaning) => (meaning === "" ? [] : [meaning, ...alternatives(meaning)])))
  const isFree = (index: number) => columns[index] === ""
  const give = (fits: (heading: string, meaning: Meaning) => boolean): boolean => {
    let isGiven = false
    for (const candidate of meanings) {
      const indexes = header.flatMap((name, index) => (isFree(index) && fits(name, candidate) ? [index] : []))
      const [index] = indexes
      // Of two that fit, none is chosen.
      if (index === undefined || indexes.length > 1 || taken.has(candidate.name)) continue
      columns[index] = candidate.name
      for (const meaning of [candidate.name, ...alternatives(candidate.name)]) taken.add(meaning)
      isGiven = true
    }
    return isGiven
  }
  const isAliased = give(isAlias)
  const isUsual = columnsProblem(kind, columns) === undefined
  // Where our own names say everything, other columns are those of somebody else.
  const isEnough = !isAliased && isUsual && (kind !== "delivery" || columns.some(isUnit))
  const isGuessed =
    !isEnough &&
    (give((heading, meaning) => !meaning.number && suggests(heading, meaning)) || mayCount(kind, header, columns))
  const isRight = columnsProblem(kind, columns) === undefined
  const isCertain = !isGuessed && otherFigures(kind, header, columns).length === 0
  const isSure = isRight && !isAliased && isCertain
  return { columns: isCertain ? columns : withoutRivals(kind, header, columns), isSure, isUsual: isUsual && isCertain }
}

/** Where several columns may have the figures, none of them is chosen. */
function withoutRivals(kind: UploadKind, header: readonly string[], columns: readonly string[]): string[] {
  const rivals = new Set(figuresIn(kind, header, columns))
  return columns.map((name) => (rivals.has(meaningOf(kind, name)?.label ?? "") ? "" : name))
}

/** Other headings that may have the figures: beside "Delivered", "Impressions" may be those that are booked. With our own names they are not. */
export const otherFigures = (kind: UploadKind, header: readonly string[], columns: readonly string[]): string[] =>
  areOurs(kind, header, columns)
    ? []
    : figuresIn(kind, header, columns).flatMap((label, index) => (label === null ? [] : (header[index] ?? [])))

/** Whether nothing is counted yet in these columns, although one of them may have figures. */
const mayCount = (kind: UploadKind, header: readonly string[], columns: readonly string[]): boolean =>
  !columns.some((name) => meaningOf(kind, name)?.number) &&
  figuresIn(kind, header, columns).some((label) => label !== null)

/** What unused columns may count, by words in their headings: a label for each; null where nothing suggests it. */
export const figuresIn = (kind: UploadKind, header: readonly string[], columns: readonly string[]): (string | null)[] =>
  header.map((heading, index) => {
    const fits = (meaning: Meaning) => meaning.number !== undefined && suggests(heading, meaning)
    return columns[index] ? null : (UPLOAD_FORMATS[kind].meanings.find(fits)?.label ?? null)
  })

// "Impressions booked" are none that were delivered, nor is a rate, a goal or a part of them; the day on which something was published or
// begins is not the day on which it was measured.
const OTHERWISE = new RegExp(
  [
    "%|\\d+ ?(?:days?|tagen?|jours)\\b",
    "\\b(?:rate|ratio|quote|percent|ctr|goal|ziel|booked|gebucht|ordered|remaining|rest|target|viewable|measurable|unique|invalid|unfilled)\\b",
    "\\b(?:cpm|ecpm|revenue|cost|budget|duration|type|status|start|end|ende|beginn|created|updated|publish(?:ed)?|release|sent|send|first)\\b",
    "\\b(?:veröffentlicht|versand|erschein|envoi|publi|episode ?date)",
  ].join("|"),
)

const wordsIn = (heading: string) =>
  heading
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")
    .replaceAll("_", " ")
    .toLowerCase()

function suggests(heading: string, { name, words }: Meaning): boolean {
  const text = wordsIn(heading)
  const said = text.split(/[^\p{L}\d]+/u)
  // Beside "Line item" stands "Line item ID": an ID is no name.
  if (OTHERWISE.test(text) || (name === LINE_NAME && said.includes("id"))) return false
  return said.some((word) => words.includes(word))
}

const plainName = (name: string) => name.toLowerCase().replace(/[^\p{L}\d]/gu, "")

const isAlias = (heading: string, { aliases }: Meaning) => aliases.includes(plainName(heading))

/** Whether a column has our own name of a meaning, in whatever case: "Impressions", "package ID". */
const hasOurName = (heading: string, { name, label }: Meaning) =>
  [name, label].some((own) => plainName(own) === plainName(heading))

/** The meaning whose name a column has; null for other names. */
export const ourMeaning = (kind: UploadKind, column: string): string | null =>
  UPLOAD_FORMATS[kind].meanings.find((meaning) => hasOurName(column, meaning))?.name ?? null

/**
 * Whether every column that is used has our own name for it. Other systems also write "External ID", "Line name" and "Day" above their
 * figures, so these are ours only as the API spells them.
 */
export function areOurs(kind: UploadKind, header: readonly string[], columns: readonly string[]): boolean {
  return columns.every((meaning, index) => {
    const name = header[index] ?? ""
    if ([EXTERNAL_ID, LINE_NAME, AS_OF].includes(meaning)) return name === meaning
    return meaning === "" || ourMeaning(kind, name) === meaning
  })
}

/** The columns that have the IDs of lines in a file that is read by their names. */
export function unusedIds(kind: UploadKind, header: readonly string[], columns: readonly string[]): number[] {
  const names = columns.includes(LINE_NAME) ? lineMeanings(kind) : []
  const ids = UPLOAD_FORMATS[kind].meanings.filter(({ name }) => name !== LINE_NAME && names.includes(name))
  const isId = (heading: string) => ids.some((id) => hasOurName(heading, id) || isAlias(heading, id))
  return header.flatMap((heading, index) => (columns[index] === "" && isId(heading) ? [index] : []))
}

/** How many headings of a row say what they are, for any kind of file. */
export function headingsIn(cells: readonly string[]): number {
  const meanings = UPLOAD_KINDS.flatMap((kind) => UPLOAD_FORMATS[kind].meanings)
  const says = [hasOurName, isAlias, suggests]
  return cells.filter((name) => meanings.some((meaning) => says.some((fits) => fits(name, meaning)))).length
}

/** Whether a column says which line each row is of, or the kind has no lines. */
export const namesLine = (kind: UploadKind, columns: readonly string[]): boolean =>
  kind !== "delivery" || lineMeanings(kind).some((name) => columns.includes(name))

/** The meanings of which one says what line a row is of. */
export const lineMeanings = (kind: UploadKind): readonly string[] =>
  UPLOAD_FORMATS[kind].needed.find((choice) => choice.includes(LINE_NAME)) ?? []

const eitherOf = new Intl.ListFormat("en-GB", { type: "disjunction" })
const allOf = new Intl.ListFormat("en-GB", { type: "conjunction" })

/** What is wrong with these meanings. A file whose rows are all `ofOneLine` needs no column that names it. */
export function columnsProblem(kind: UploadKind, columns: readonly string[], ofOneLine = false): string | undefined {
  const { needed } = UPLOAD_FORMATS[kind]
  const labelOf = (name: string) => meaningOf(kind, name)?.label ?? name
  const given = columns.filter((meaning) => meaning !== "")
  const unknown = given.find((meaning) => meaningOf(kind, meaning) === undefined)
  if (unknown !== undefined) return "Choose one of the meanings in the list."
  const twice = given.find((meaning, i) => given.indexOf(meaning) !== i)
  if (twice !== undefined) return `Two columns mean “${labelOf(twice)}”. Choose one of them.`
  for (const choice of needed) {
    const count = choice.filter((meaning) => given.includes(meaning)).length
    const labels = choice.map((name) => `“${labelOf(name)}”`)
    if (count === 0 && ofOneLine && choice.includes(LINE_NAME)) continue
    if (count === 0) return `Say which column is ${eitherOf.format(labels)}.`
    if (count > 1) return `Choose only one of ${allOf.format(labels)}.`
  }
  return undefined
}
