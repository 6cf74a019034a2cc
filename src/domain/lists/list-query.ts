import { memoize } from "../memoize.ts"

// Names are compared again with every page of a list, and comparing them by a collator takes six times as long.
const KEYS_KEPT = 60_000

// Longer runs of digits are ordered as text.
const DIGITS_MAX = 999

/** Sorted by these keys, "Week 2" comes before "Week 10", and neither case nor accents matter. */
export const naturalKey = memoize(KEYS_KEPT, (text: string) =>
  withoutAccents(text)
    .toLowerCase()
    // The number of digits first: of two numbers without leading zeros, the one with more digits is the larger one.
    .replaceAll(
      /0*(\d+)/g,
      (_, digits: string) => String(Math.min(digits.length, DIGITS_MAX)).padStart(3, "0") + digits,
    ),
)

export function compareNames(left: string, right: string): number {
  const [a, b] = [naturalKey(left), naturalKey(right)]
  return a === b ? 0 : a < b ? -1 : 1
}

/** Lines by their rank and then in the natural order of names; of the same name, the older ones first. */
export function inNaturalOrder<Line extends Readonly<{ name: string; lineId: number }>>(
  lines: readonly Line[],
  rankOf: (line: Line) => string | number,
): Line[] {
  // Each name is read once.
  const keyed = lines.map((line) => ({ line, rank: rankOf(line), key: naturalKey(line.name) }))
  const sorted = keyed.sort((a, b) => {
    if (a.rank !== b.rank) return a.rank < b.rank ? -1 : 1
    return a.key < b.key ? -1 : a.key > b.key ? 1 : a.line.lineId - b.line.lineId
  })
  return sorted.map(({ line }) => line)
}

// Most names have none, and looking for them would take most of the time.
const withoutAccents = (text: string) =>
  /^[ -~\n]*$/.test(text) ? text : text.normalize("NFKD").replaceAll(/\p{M}+/gu, "")

export interface ListQuery {
  /** Only rows that contain this text; all of them if it is empty. */
  readonly text: string
  /** Null: in every state. */
  readonly state: string | null
  readonly sort: string
  readonly descending: boolean
  readonly offset: number
  readonly limit: number
}

/** What a row is sorted by. Texts are sorted as people expect it of names; null comes last, in whatever direction. */
type SortValue = string | number | bigint | null

/** By what a list can be searched, filtered and sorted. The first sort is the one of a list that nobody has sorted. */
export interface ListRules<Row> {
  readonly searched: (row: Row) => string
  readonly states: Readonly<Record<string, (row: Row) => boolean>>
  readonly sorts: Readonly<Record<string, (row: Row) => SortValue>>
  /** Sorts whose first click should show the largest or newest first. */
  readonly largestFirst?: readonly string[]
}

export interface ListPage<Row> {
  readonly query: ListQuery
  readonly rows: readonly Row[]
  /** How many there are before anything is searched or filtered. */
  readonly all: number
  /** How many the search found, in whatever state. */
  readonly matches: number
  readonly matching: number
  /** How many of those that were found are in each state; null where nobody counted. */
  readonly counts: Readonly<Record<string, number>> | null
}

const keyOf = (value: SortValue) => (typeof value === "string" ? naturalKey(value) : value)

function compareKeys(a: SortValue, b: SortValue, direction: number): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  return a < b ? -direction : direction
}

/** The page of a list whose rows are all at hand. A row is found that contains the text, whatever its case. */
export function listPage<Row>(rows: readonly Row[], rules: ListRules<Row>, query: ListQuery): ListPage<Row> {
  const { text, state, sort, descending, offset, limit } = query
  const wanted = text.toLowerCase()
  const matches = text === "" ? rows : rows.filter((row) => rules.searched(row).toLowerCase().includes(wanted))
  const isWanted = state === null ? undefined : rules.states[state]
  const matching = isWanted === undefined ? matches : matches.filter(isWanted)
  const sortValue = rules.sorts[sort] ?? (() => null)
  const sorted = matching
    .map((row) => ({ row, key: keyOf(sortValue(row)) }))
    .sort((a, b) => compareKeys(a.key, b.key, descending ? -1 : 1))
  const counts = Object.entries(rules.states).map(([name, isIn]) => [name, matches.filter(isIn).length] as const)
  return {
    query,
    rows: sorted.slice(offset, offset + limit).map(({ row }) => row),
    all: rows.length,
    matches: matches.length,
    matching: matching.length,
    counts: Object.fromEntries(counts),
  }
}
