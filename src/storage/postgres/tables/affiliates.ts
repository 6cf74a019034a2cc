import type { Moment } from "../../../domain/time/moment.ts"
import type { AnswerBy } from "../../port/answer-by.ts"
import type { Affiliates, CodeToSave, MetricToSave, SoldCode } from "../../port/store.ts"
import { DAY_REPORTED_AGAIN, type Day, dayAfter } from "../../steps/bind-day-to-line.ts"
import { numberArray } from "../engine/arrays.ts"
import type { Connection } from "../engine/connection.ts"
import { leftUntil } from "../engine/deadline.ts"
import type { Transaction } from "../engine/transaction.ts"
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

const linesOf = (codes: readonly CodeToSave[]) => numberArray(codes.map(({ lineId }) => lineId))

interface MetricJob {
  readonly rows: readonly MetricToSave[]
  readonly at: Moment
  readonly termsRevision: number
  readonly answerBy: AnswerBy
}

export function affiliates(connection: Connection): Affiliates {
  const { transact, write } = connection

  const keepMetrics = write.kind<MetricJob, boolean>({
    rows: ({ rows }) => rows.length,
    answerBy: (job) => job.answerBy,
    async write(transaction, jobs) {
      const outcomes = jobs.map(({ termsRevision }) => termsRevision === transaction.terms)
      saveMetrics(transaction, daysOf(jobs.filter((_, i) => outcomes[i])))
      return { outcomes }
    },
  })

  return {
    codesSold: sellerTerms<SoldCode>(connection, CODES_SOLD, ({ codeId, lineId }) => ({ codeId, lineId })),
    // Only a code that moves to another line affects what replicas remember: codes that are not found are not remembered.
    saveCodes(sellerId, given, at, termsRevision, answerBy) {
      const codes = lastOfEach(given)
      const [names, last] = [[...codes.keys()], [...codes.values()]]
      let isMoved = false
      const save = async ({ terms, rows, last: sendLast }: Transaction) => {
        if (terms !== termsRevision) return false
        const stored = await rows<Pick<CodeToSave, "code" | "lineId">>(LINES_OF_CODES, [sellerId, names])
        isMoved = stored.some(({ code, lineId }) => codes.get(code)?.lineId !== lineId)
        const slugs = last.map(({ slug }) => slug ?? null)
        sendLast({ text: SAVE_CODES, values: [sellerId, at, names, linesOf(last), slugs] })
        // Also of the lines that a code pointed to for the time of a row only, as if the rows had come one after the other.
        sendLast({ text: SAVE_PLACEMENTS, values: [sellerId, given.map(({ code }) => code), linesOf(given)] })
        return true
      }
      return transact(save, { moves: () => (isMoved ? "terms" : "nothing"), ...leftUntil(answerBy) })
    },
    saveMetrics: (rows, at, termsRevision, answerBy) => keepMetrics({ rows, at, termsRevision, answerBy }),
  }
}

/** What is left of rows that came one after the other: one of each code. */
function lastOfEach(given: readonly CodeToSave[]): ReadonlyMap<string, CodeToSave> {
  const codes = new Map<string, CodeToSave>()
  for (const code of given) codes.set(code.code, { ...code, slug: code.slug ?? codes.get(code.code)?.slug })
  return codes
}

/** What is left of rows that came one after the other: one of each day of a code, in the order in which every transaction writes. */
function daysOf(jobs: readonly MetricJob[]): Day[] {
  const days = new Map<string, Day>()
  for (const { rows, at } of jobs) {
    for (const row of rows) {
      const name = `${row.codeId} ${row.date}`
      days.set(name, dayAfter(days.get(name), { ...row, at }))
    }
  }
  return [...days.values()].sort((a, b) => a.codeId - b.codeId || (a.date < b.date ? -1 : 1))
}

function saveMetrics(transaction: Transaction, days: readonly Day[]): void {
  if (days.length === 0) return
  const values = [
    numberArray(days.map(({ codeId }) => codeId)),
    days.map(({ date }) => date),
    numberArray(days.map(({ clicks }) => clicks ?? null)),
    numberArray(days.map(({ conversions }) => conversions ?? null)),
    numberArray(days.map(({ conversionValueMicros }) => conversionValueMicros ?? null)),
    numberArray(days.map(({ at }) => at)),
    numberArray(days.map(({ lineId }) => lineId)),
  ]
  transaction.last({ text: SAVE_METRICS, values })
}
