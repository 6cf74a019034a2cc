import { and, eq } from "drizzle-orm"
import { type AffiliateMetric, type Figures, sumFigures } from "../../domain/affiliate.ts"
import type { CalendarDate } from "../../domain/time/moment.ts"
import type { ReadTx, Tx } from "../database.ts"
import { hasRows, orNull } from "../sql-text.ts"

interface StoredCode {
  readonly id: number
  readonly code: string
  readonly slug: string | null
  /** The line that the code points to now. */
  readonly lineId: number
}

/** These codes by name, as far as the organization has them. */
export async function codesByName(
  read: ReadTx,
  organizationId: number,
  codes: readonly string[],
): Promise<Map<string, StoredCode>> {
  const query = `SELECT id, code, slug, line_id AS "lineId"
    FROM affiliate_code WHERE organization_id = $1 AND code = ANY($2)`
  const columns = { id: Number, code: String, slug: orNull(String), lineId: Number }
  const stored = await read.rows(query, [organizationId, codes], columns)
  return new Map(stored.map((code) => [code.code, code]))
}

export interface CodeToSave {
  readonly code: string
  readonly lineId: number
  /** Null leaves the stored slug as it is. */
  readonly slug: string | null
}

const MOVE_CODE = `ON CONFLICT (organization_id, code) DO UPDATE SET line_id = excluded.line_id,
  slug = coalesce(excluded.slug, affiliate_code.slug)`

/** Adds codes, or points them to other lines. Each code may come once. */
export async function saveCodes(tx: Tx, organizationId: number, codes: readonly CodeToSave[]) {
  const rows = codes.map(({ code, lineId, slug }) => ({ organizationId, code, lineId, slug }))
  await tx.insertMany(tx.affiliateCode, rows, MOVE_CODE)
}

/** Deletes a code of the organization. False if it has figures, which belong to its buyers as well. */
export async function deleteCode(tx: Tx, organizationId: number, codeId: number): Promise<boolean> {
  const { affiliateCode: code } = tx
  const query = "SELECT date FROM affiliate_metric WHERE code_id = $1 LIMIT 1"
  if (await hasRows(tx.rows(query, [codeId], { date: String }))) return false
  const own = and(eq(code.id, codeId), eq(code.organizationId, organizationId))
  return hasRows(tx.db.delete(code).where(own).returning())
}

export interface MetricToSave extends Omit<AffiliateMetric, "code"> {
  readonly codeId: number
  /** The line that the code points to. A day that was reported before stays with its own line. */
  readonly lineId: number
}

const ADD_TO_METRIC = `ON CONFLICT (code_id, date) DO UPDATE SET
  clicks = coalesce(excluded.clicks, affiliate_metric.clicks),
  conversions = coalesce(excluded.conversions, affiliate_metric.conversions),
  value_micros = coalesce(excluded.value_micros, affiliate_metric.value_micros)`

/** Saves the figures of days. Each code and date may come once. */
export async function saveMetrics(tx: Tx, metrics: readonly MetricToSave[]): Promise<void> {
  const rows = metrics.map(({ codeId, date, lineId, clicks = null, conversions = null, valueMicros = null }) => {
    return { codeId, date, lineId, clicks, conversions, valueMicros }
  })
  await tx.insertMany(tx.affiliateMetric, rows, ADD_TO_METRIC)
}

/** Whether codes have brought any value on this line. */
export function hasAffiliateValue(read: ReadTx, lineId: number): Promise<boolean> {
  const query = "SELECT date FROM affiliate_metric WHERE line_id = $1 AND value_micros > 0 LIMIT 1"
  return hasRows(read.rows(query, [lineId], { date: String }))
}

export interface Period {
  readonly from: CalendarDate
  readonly to: CalendarDate
}

const EVER: Period = { from: "0000-00-00", to: "9999-99-99" }

/** The figures of a code on a line. A code that was moved has an entry for each of its lines. */
export interface CodeFigures extends Figures {
  readonly codeId: number
  readonly code: string
  readonly lineId: number
  /** Null without one, and for a line that the code no longer points to: it may name what's sold there now. */
  readonly slug: string | null
  /** Whether the code points to this line. */
  readonly isCurrent: boolean
  readonly lastDate: CalendarDate | null
}

/** The codes of these lines with the sums of their figures, by code. The caller makes sure that they may be seen. */
export async function codeFigures(read: ReadTx, lineIds: readonly number[], period?: Period): Promise<CodeFigures[]> {
  const [names, days] = await Promise.all([codesEverOf(read, lineIds), codeDays(read, lineIds, period)])
  const byCodeAndLine = Map.groupBy(days, ({ codeId, lineId }) => `${codeId} ${lineId}`)
  return names.map((name) => {
    const own = byCodeAndLine.get(`${name.codeId} ${name.lineId}`) ?? []
    return { ...name, lastDate: own.at(-1)?.date ?? null, ...sumFigures(own) }
  })
}

/** The codes that point to one of these lines, or once did and have figures there. */
export function codesEverOf(read: ReadTx, lineIds: readonly number[]) {
  const query = `SELECT affiliate_code.id AS "codeId", code, used.line_id AS "lineId",
      CASE WHEN used.line_id = affiliate_code.line_id THEN slug END AS slug,
      CASE WHEN used.line_id = affiliate_code.line_id THEN 1 ELSE 0 END AS "isCurrent"
    FROM (
        SELECT id AS code_id, line_id FROM affiliate_code WHERE line_id = ANY($1)
        UNION SELECT code_id, line_id FROM affiliate_metric WHERE line_id = ANY($1)
      ) AS used
      JOIN affiliate_code ON affiliate_code.id = used.code_id
    ORDER BY code, used.line_id`
  return read.rows(query, [lineIds], {
    codeId: Number,
    code: String,
    lineId: Number,
    slug: orNull(String),
    isCurrent: (value) => Number(value) === 1,
  })
}

/** The figures of one code on one day, and the line that they belong to. */
export interface CodeDay extends Figures {
  readonly date: CalendarDate
  readonly codeId: number
  readonly lineId: number
}

/** The days of the codes of these lines, oldest first. The caller makes sure that they may be seen. */
export function codeDays(read: ReadTx, lineIds: readonly number[], { from, to }: Period = EVER): Promise<CodeDay[]> {
  const query = `SELECT date, code_id AS "codeId", line_id AS "lineId", clicks, conversions, value_micros AS "valueMicros"
    FROM affiliate_metric WHERE line_id = ANY($1) AND date BETWEEN $2 AND $3 ORDER BY date, code_id`
  // Sums can be larger than a number or a column of the database can hold exactly, so they are added up as big integers.
  const whole = orNull((value) => BigInt(String(value)))
  const columns = {
    date: String,
    codeId: Number,
    lineId: Number,
    clicks: whole,
    conversions: whole,
    valueMicros: whole,
  }
  return read.rows(query, [lineIds, from, to], columns)
}
