import { and, desc, eq, like, ne, type SQL } from "drizzle-orm"
import type { StatementState } from "../../domain/sale/order.ts"
import type { Stated, StatementBody } from "../../domain/sale/statement.ts"
import type { CalendarDate, Moment } from "../../domain/time/moment.ts"
import type { ReadTx, Tx } from "../database.ts"

export interface Statement {
  readonly id: number
  readonly sellerId: number
  readonly buyerId: number
  readonly through: CalendarDate
  readonly number: string
  readonly state: StatementState
  readonly frozenAt: Moment
  readonly frozenBy: string
  readonly paidOn: CalendarDate | null
  readonly body: StatementBody
}

/** The amounts in statements that weren't cancelled, by line and currency, and the last day that they cover. */
export async function statedBefore(read: ReadTx, lineIds: readonly number[]): Promise<Stated[]> {
  const query = `SELECT line_id AS "lineId", currency, sum(coins) AS coins, max(through) AS through FROM statement_line
      JOIN statement ON statement.id = statement_id
    WHERE line_id = ANY($1) AND state <> 'cancelled' GROUP BY line_id, currency`
  return read.rows(query, [lineIds], { lineId: Number, currency: String, coins: Number, through: String })
}

/** What is printed on the statements of these lines that weren't cancelled. */
export async function bodiesOf(read: ReadTx, lineIds: readonly number[]): Promise<StatementBody[]> {
  const { db, statement, statementLine } = read
  const covers = and(read.anyOf(statementLine.lineId, lineIds), ne(statement.state, "cancelled"))
  const isOnStatement = eq(statementLine.statementId, statement.id)
  const found = await db
    .select({ body: statement.body })
    .from(statement)
    .innerJoin(statementLine, isOnStatement)
    .where(covers)
  return found.map(({ body }) => body)
}

/** The last number of a seller in a year. Null if there is none. */
export async function lastNumber({ db, statement }: ReadTx, sellerId: number, year: string): Promise<string | null> {
  const isOfYear = and(eq(statement.sellerId, sellerId), like(statement.number, `${year}-%`))
  const numbers = await db.select({ number: statement.number }).from(statement).where(isOfYear)
  return (
    numbers
      .map(({ number }) => number)
      .toSorted(byNumber)
      .at(-1) ?? null
  )
}

/** 2026-1000 comes after 2026-999. */
const byNumber = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : 1)

/** Stores a statement and its amount for each line. Returns its ID. */
export async function addStatement(
  tx: Tx,
  statement: Omit<Statement, "id">,
  stated: readonly Omit<Stated, "through">[],
): Promise<number> {
  const [added] = await tx.db.insert(tx.statement).values(statement).returning({ id: tx.statement.id })
  if (added === undefined) throw new Error("The statement was not added.")
  await tx.insertMany(
    tx.statementLine,
    stated.map((line) => ({ statementId: added.id, ...line })),
  )
  return added.id
}

/** The statements that a seller made, newest first. */
export const statementsBy = (read: ReadTx, sellerId: number): Promise<Statement[]> =>
  statementsWhere(read, eq(read.statement.sellerId, sellerId))

/** The statements that a buyer received, newest first, without cancelled ones. */
export const statementsFor = ({ statement, ...read }: ReadTx, buyerId: number): Promise<Statement[]> =>
  statementsWhere({ statement, ...read }, and(eq(statement.buyerId, buyerId), ne(statement.state, "cancelled")))

/** A statement, for the seller that made it or the buyer that received it. */
export async function statementById(read: ReadTx, organizationId: number, id: number): Promise<Statement | null> {
  const { statement } = read
  const [found] = await statementsWhere(read, eq(statement.id, id))
  if (found === undefined) return null
  const isTheirs =
    found.sellerId === organizationId || (found.buyerId === organizationId && found.state !== "cancelled")
  return isTheirs ? found : null
}

async function statementsWhere({ db, statement }: ReadTx, where: SQL | undefined): Promise<Statement[]> {
  return db.select().from(statement).where(where).orderBy(desc(statement.frozenAt), desc(statement.id))
}

/** The statements of a seller whose lines all belong to one campaign. Others would show a link's holder other campaigns. */
export async function statementsOfCampaign(read: ReadTx, sellerId: number, campaignId: number): Promise<Statement[]> {
  const query = `SELECT statement.id FROM statement
    WHERE seller_id = $1 AND state <> 'cancelled'
      AND EXISTS (SELECT 1 FROM statement_line WHERE statement_id = statement.id)
      AND NOT EXISTS (SELECT 1 FROM statement_line JOIN line ON line.id = line_id
        WHERE statement_id = statement.id AND line.campaign_id <> $2)`
  const ids = await read.rows(query, [sellerId, campaignId], { id: Number })
  const isOne = read.anyOf(
    read.statement.id,
    ids.map(({ id }) => id),
  )
  return ids.length === 0 ? [] : statementsWhere(read, isOne)
}

export async function changeStatement(
  { db, statement }: Tx,
  sellerId: number,
  id: number,
  change: Partial<Pick<Statement, "state" | "paidOn">>,
): Promise<void> {
  await db
    .update(statement)
    .set(change)
    .where(and(eq(statement.id, id), eq(statement.sellerId, sellerId)))
}
