import { type Static, type TUnsafe, Type } from "@sinclair/typebox"
import { ANY_UNIT, isUnit, UNITS } from "../campaign/pricing-basis.ts"
import { checkFor } from "../schema/check.ts"
import { choice, NonEmpty, nonEmpty, object, Text } from "../schema/schema-helpers.ts"
import { columnsProblem, UPLOAD_FORMATS, UPLOAD_KINDS } from "../upload/columns.ts"

const names = <const Names extends readonly string[]>(list: Names, description: string) =>
  ({ ...choice(...list), description }) as TUnsafe<Names[number]>

const text = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description })

export const ROW_MEANINGS = ["cumulative", "daily", "events", "lifetime"] as const

/**
 * How the export of one system is read. The built-in ones are in `data`, one file each; operators add their own. None is guessed: the
 * names of the columns are those in the documentation.
 */
export const Preset = object(
  {
    name: Type.String({
      pattern: "^[a-z0-9]+(-[a-z0-9]+)*$",
      maxLength: 60,
      title: "lower-case words joined by hyphens",
    }),
    title: text(80, "The system and its export, as people know them."),
    kind: names(UPLOAD_KINDS, "What is reported."),
    documentation: Type.Array(Type.String({ pattern: "^https?://", title: "an address" }), {
      minItems: 1,
      description: "Where the columns are described.",
    }),
    columns: Type.Record(NonEmpty, NonEmpty, {
      description: "What a column means, by its name in the file: a field of the API, or external_id for your line ID.",
    }),
    rows: names(
      ROW_MEANINGS,
      "cumulative: each row is a total up to its day. daily: each row is a part of one day. events: each row counts 1 on its day. " +
        "lifetime: each row is a part of the total since the start, without a day.",
    ),
    "counts?": names([...UNITS, "clicks", "conversions"], "With rows events: what each row is one of."),
    "optional?": Type.Array(Type.String(), { description: "Columns that an export may leave out." }),
    "skip?": Type.Array(object({ column: NonEmpty, equals: nonEmpty(Text) }), {
      description:
        "Rows that do not count, such as totals and cancelled orders: those with one of these values in the column.",
    }),
    "dates?": names(["day_first", "month_first"], "How 02/11/2026 is read."),
    "numbers?": names(["grouped", "decimal"], "How 1.000 and 1,000 are read."),
    "currency?": Type.String({
      pattern: "^[A-Z]{3}$",
      title: "a currency code",
      description: "Its sign may appear beside values.",
    }),
    "note?": text(400, "What a seller should know."),
  },
  { additionalProperties: false },
)
export type Preset = Static<typeof Preset>

const check = checkFor(Preset)

/** The preset that a value is, or everything that is wrong with it, in sentences. */
export function readPreset(value: unknown): { readonly preset: Preset } | { readonly problems: readonly string[] } {
  const checked = check(value)
  if (!checked.ok) return { problems: checked.problems.map(({ pointer, message }) => `${pointer || "It"} ${message}.`) }
  const problems = contradictions(checked.value)
  return problems.length === 0 ? { preset: checked.value } : { problems }
}

/** What a schema cannot say. */
function contradictions({ kind, columns, rows, counts, optional = [] }: Preset): string[] {
  const given = Object.values(columns)
  const meanings = UPLOAD_FORMATS[kind].meanings.map(({ name }) => name)
  const unknown = given.filter((meaning) => !meanings.includes(meaning))
  if (unknown.length > 0)
    return [`columns has ${unknown.join(", ")}, which ${kind} does not take. It takes ${meanings.join(", ")}.`]
  const day = kind === "delivery" ? "as_of" : "date"
  const problem = columnsProblem(kind, given)
  return [
    ...(problem === undefined ? [] : [`columns: ${problem}`]),
    ...(kind === "affiliate_codes" && rows !== "cumulative" ? ["Affiliate codes need rows cumulative."] : []),
    ...(kind === "affiliate_metrics" && rows === "lifetime"
      ? ["Affiliate figures are of single days: use daily."]
      : []),
    ...(["daily", "events"].includes(rows) && !given.includes(day) ? [`rows ${rows} needs a column ${day}.`] : []),
    ...(rows === "lifetime" && given.includes(day) ? [`rows lifetime has no column ${day}: use cumulative.`] : []),
    ...((rows === "events") === (counts === undefined) ? ["counts belongs to rows events, and only there."] : []),
    ...(counts !== undefined && !meanings.includes(counts) ? [`${kind} does not take ${counts}.`] : []),
    ...(counts !== undefined && given.includes(counts) ? [`counts and a column both say ${counts}.`] : []),
    ...(kind === "delivery" && counts === undefined && !given.some(isUnit) ? [`columns needs ${ANY_UNIT}.`] : []),
    ...optional.filter((name) => !Object.hasOwn(columns, name)).map((name) => `optional: there is no column ${name}.`),
  ]
}

/** Columns that a file must have to be recognized. */
export function requiredColumns({ columns, optional = [], skip = [] }: Preset): string[] {
  const all = [...Object.keys(columns), ...skip.map(({ column }) => column)]
  return [...new Set(all)].filter((name) => !optional.includes(name))
}

export const rowsInWords = ({ rows, counts }: Pick<Preset, "rows" | "counts">): string =>
  ({
    cumulative: "each row is a total up to its day",
    daily: "figures of single days, added up",
    events: `each row counts as one of the ${counts} of its day`,
    lifetime: "totals to date, as of when the file was made",
  })[rows]
