import type { Moment } from "../../../domain/time/moment.ts"
import type { Affiliates, CodeToSave, MetricToSave, SoldCode } from "../../port/store.ts"
import { DAY_REPORTED_AGAIN, type Day, dayAfter } from "../../steps/bind-day-to-line.ts"
import type { Access, Transaction } from "../engine/transaction.ts"
import { sellerTerms } from "./seller-terms.ts"

/** Codes and the lines that they point to, where this organization sells those lines. */
const CODES_SOLD = `SELECT c.code AS name, c.id::double precision AS "codeId", c.line_id::double precision AS "lineId"
  FROM affiliate_code c JOIN package_line l ON l.id = c.line_id
  WHERE c.code = ANY($1::text[]) AND c.organization_id = $2 AND l.seller_id = $2`

const LINES_OF_CODES = `SELECT code, line_id AS "lineId" FROM affiliate_code
  WHERE organization_id = $1 AND code = ANY($2::text[])`

/** A missing slug leaves the stored one. */
const SAVE_CODES = `INSERT INTO affiliate_code (organization_id, code, line_id, slug, updated_at)
  SELECT $1::bigint, code, line_id, slug, $2::bigint FROM unnest($3::text[], $4::bigint[], $5::text[]) AS c(code, line_id, slug)
  ON CONFLICT (organization_id, code) DO UPDATE SET line_id = excluded.line_id,
    slug = coalesce(excluded.slug, affiliate_code.slug), updated_at = excluded.updated_at`

const SAVE_PLACEMENTS = `INSERT INTO affiliate_placement (line_id, code_id)
  SELECT DISTINCT p.line_id, a.id FROM unnest($2::text[], $3::bigint[]) AS p(code, line_id)
    JOIN affiliate_code a ON a.organization_id = $1 AND a.code = p.code
  ON CONFLICT DO NOTHING`

const SAVE_METRICS = `INSERT INTO affiliate_metric (code_id, date, clicks, conversions, value_micros, updated_at, line_id)
  SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
  ${DAY_REPORTED_AGAIN}`

const linesOf = (codes: readonly CodeToSave[]) => codes.map(({ lineId }) => lineId)

export function affiliates(access: Access): Affiliates {
  const { transact, recordFigures } = access
  return {
    codesSold: sellerTerms<SoldCode>(access, CODES_SOLD),
    saveCodes(sellerId, given, at, termsRevision) {
      const codes = lastOfEach(given)
      const [names, last] = [[...codes.keys()], [...codes.values()]]
      // Only a code that moves to another line affects how others are judged.
      let isMoved = false
      const save = async ({ terms, rows }: Transaction) => {
        if (terms !== termsRevision) return false
        const stored = await rows<Pick<CodeToSave, "code" | "lineId">>(LINES_OF_CODES, [sellerId, names])
        isMoved = stored.some(({ code, lineId }) => codes.get(code)?.lineId !== lineId)
        await rows(SAVE_CODES, [sellerId, at, names, linesOf(last), last.map(({ slug }) => slug ?? null)])
        // Also of the lines that a code pointed to for the time of a row only, as if the rows had come one after the other.
        await rows(SAVE_PLACEMENTS, [sellerId, given.map(({ code }) => code), linesOf(given)])
        return true
      }
      return transact(save, { moves: () => (isMoved ? "terms" : "nothing") })
    },
    saveMetrics: (given, at, termsRevision) =>
      recordFigures(async ({ terms, rows }) => {
        if (terms !== termsRevision) return false
        if (given.length > 0) await rows(SAVE_METRICS, columnsOf(daysOf(given, at)))
        return true
      }),
  }
}

/** What is left of rows that came one after the other: one of each code. */
function lastOfEach(given: readonly CodeToSave[]): ReadonlyMap<string, CodeToSave> {
  const codes = new Map<string, CodeToSave>()
  for (const code of given) codes.set(code.code, { ...code, slug: code.slug ?? codes.get(code.code)?.slug })
  return codes
}

/** What is left of rows that came one after the other: one of each day of a code, in the order in which every transaction writes. */
function daysOf(rows: readonly MetricToSave[], at: Moment): Day[] {
  const days = new Map<string, Day>()
  for (const row of rows) {
    const name = `${row.codeId} ${row.date}`
    days.set(name, dayAfter(days.get(name), { ...row, at }))
  }
  return [...days.values()].sort((a, b) => a.codeId - b.codeId || (a.date < b.date ? -1 : 1))
}

const columnsOf = (days: readonly Day[]) => [
  days.map(({ codeId }) => codeId),
  days.map(({ date }) => date),
  days.map(({ clicks }) => clicks ?? null),
  days.map(({ conversions }) => conversions ?? null),
  days.map(({ conversionValueMicros }) => conversionValueMicros ?? null),
  days.map(({ at }) => at),
  days.map(({ lineId }) => lineId),
]
