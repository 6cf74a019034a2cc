import { maskKeys } from "../../domain/api-key.ts"
import { isDelivered } from "../../domain/campaign/line-state.ts"
import { type Errors, errorsIn, hasErrors } from "../../domain/errors.ts"
import { amountOf } from "../../domain/money.ts"
import { noteProblem } from "../../domain/sale/read-order.ts"
import {
  billsBeyondBooked,
  isOverDelivered,
  lastDayOf,
  monthBefore,
  nextNumber,
  readAdded,
  type StatedLine,
  type StatementBody,
  type StatementRow,
  type Sum,
  statementRows,
  sumsOf,
  type TypedRow,
} from "../../domain/sale/statement.ts"
import { type CalendarDate, isDate } from "../../domain/time/moment.ts"
import { dayOf } from "../../domain/time/time-zone.ts"
import { addAuditEntry } from "../../storage/audit.ts"
import { linesSoldBy, linesSoldTo, type StoredLine } from "../../storage/campaigns/lines.ts"
import type { ReadTx } from "../../storage/database.ts"
import { totalsThrough } from "../../storage/delivery/days.ts"
import { organizationById } from "../../storage/organizations.ts"
import { membersOf } from "../../storage/people/users.ts"
import {
  addStatement,
  bodiesOf,
  changeStatement,
  lastNumber,
  type Statement,
  statedBefore,
  statementById,
} from "../../storage/sales.ts"
import type { Actor, Context } from "../context.ts"
import { publicUrl, sendLetter } from "../mail.ts"

/** The scope of a statement: everything that a seller delivered for a buyer through a day, or only one campaign. */
export interface StatementScope {
  readonly sellerId: number
  readonly buyerId: number
  readonly through: CalendarDate
  readonly campaignId: number | null
}

/** What the seller types into a draft. */
interface StatementTexts {
  readonly rows: readonly TypedRow[]
  readonly note: string
  readonly billsOverDelivery: boolean
}

export interface StatementDraft {
  readonly number: string
  /** Without the rows that are wrong. */
  readonly body: StatementBody
  readonly errors: Errors
}

/** What a statement would say now. */
export const draftStatement = (
  { database, clock }: Context,
  scope: StatementScope,
  texts: StatementTexts,
): Promise<StatementDraft> => readDraft(database.read, scope, texts, clock())

async function readDraft(
  read: ReadTx,
  scope: StatementScope,
  texts: StatementTexts,
  now: number,
): Promise<StatementDraft> {
  const { sellerId, buyerId } = scope
  const seller = await organizationById(read, sellerId)
  const buyer = await organizationById(read, buyerId)
  if (seller === null || buyer === null) throw new Error("A statement needs a seller and a buyer.")
  const rows = await rowsOf(read, scope, texts.billsOverDelivery)
  const { added, errors } = readAdded(texts.rows, sumsOf(rows))
  const body = {
    seller: { name: seller.name, address: seller.address },
    buyer: { name: buyer.name, address: buyer.address },
    timeZone: seller.timeZone,
    rows,
    added,
    note: maskKeys(texts.note),
    sums: sumsOf([...rows, ...added]),
  }
  const year = dayOf(now, seller.timeZone).slice(0, 4)
  const number = nextNumber(year, await lastNumber(read, sellerId, year))
  return { number, body, errors: errorsIn({ ...errors, note: noteProblem(texts.note) }) }
}

/** The new amount of each line in the scope, beyond earlier statements. */
async function rowsOf(read: ReadTx, scope: StatementScope, billsOverDelivery: boolean): Promise<StatementRow[]> {
  const all = await linesSoldTo(read, scope.sellerId, scope.buyerId)
  const lines = all.filter(({ campaignId }) => scope.campaignId === null || campaignId === scope.campaignId)
  return (await rowsThrough(read, lines, scope.through, billsOverDelivery)).open
}

/** What lines come to through a day, and the part of it that no statement covers. */
async function rowsThrough(
  read: ReadTx,
  lines: readonly StoredLine[],
  through: CalendarDate,
  billsOverDelivery: boolean,
) {
  const lineIds = lines.map(({ id }) => id)
  const totals = await totalsThrough(read, lineIds, through)
  const stated = lines.map((line): StatedLine => {
    const { id, packageId, name, pricingBasis, booked, rate, currency, campaign } = line
    const delivered = totals.get(id) ?? null
    return {
      ...{ lineId: id, packageId, name, campaign: campaign.name, pricingBasis, booked, rate, currency },
      delivered: delivered === null ? null : { quantity: delivered.quantity, asOf: delivered.asOf },
    }
  })
  const earlier = await statedBefore(read, lineIds)
  const overBilled = await overBilledRows(read, statementRows(stated, earlier, false, []))
  const rows = statementRows(stated, earlier, billsOverDelivery, overBilled)
  // A statement through an earlier day must not take back what a statement through a later day billed.
  const covered = new Set(earlier.filter((each) => each.through > through).map(({ lineId }) => lineId))
  const lessNow = rows.filter(({ lineId, coins }) => coins < 0 && covered.has(lineId))
  const closed = new Set(lessNow.map(({ lineId }) => lineId))
  return { rows, open: rows.filter(({ lineId, coins }) => coins !== 0 && !closed.has(lineId)) }
}

/** The rows of earlier statements that billed over-delivery, the newest last. */
async function overBilledRows(read: ReadTx, rows: readonly StatementRow[]): Promise<StatementRow[]> {
  const lineIds = rows.filter(isOverDelivered).map(({ lineId }) => lineId)
  const bodies = lineIds.length === 0 ? [] : await bodiesOf(read, lineIds)
  return bodies.flatMap(({ rows }) => rows).filter(billsBeyondBooked)
}

type Frozen = { readonly statement: Statement } | { readonly errors: Errors } | "changed"

/**
 * Stores a statement, which never changes afterwards. "changed" means that a total or rate changed meanwhile, so the
 * sum would differ from the one that the person saw.
 */
export async function freezeStatement(
  context: Context,
  actor: Actor,
  scope: StatementScope,
  texts: StatementTexts,
  seenSums: string,
): Promise<Frozen> {
  const { database, clock } = context
  const frozen = await database.transact(async (tx): Promise<Frozen> => {
    const at = clock()
    const { number, body, errors } = await readDraft(tx, scope, texts, at)
    if (hasErrors(errors)) return { errors }
    if (sumsAsText(body.sums) !== seenSums) return "changed"
    if (body.rows.length === 0 && body.added.length === 0)
      return { errors: { "": "There is nothing to bill through this day." } }
    const { sellerId, buyerId, through } = scope
    const frozen = { frozenAt: at, state: "frozen" as const, paidOn: null }
    const statement = { sellerId, buyerId, through, number, body, ...frozen }
    const id = await addStatement(
      tx,
      statement,
      body.rows.map(({ lineId, currency, coins }) => ({ lineId, currency, coins })),
    )
    const text = `froze the statement ${number} for ${body.buyer.name}: ${sumsAsText(body.sums)}`
    await addAuditEntry(tx, { at, actor, organizationId: sellerId, text })
    return { statement: { id, ...statement } }
  })
  if (typeof frozen === "object" && "statement" in frozen) await tellBuyer(context, frozen.statement)
  return frozen
}

/** Mails a link to the statement to every person of the buyer. */
async function tellBuyer(context: Context, { id, buyerId, number, through, body }: Statement): Promise<void> {
  const { read } = context.database
  const buyer = await organizationById(read, buyerId)
  const address = `${publicUrl(context)}/app/o/${buyer?.slug}/statements/${id}`
  const text = `${body.seller.name} made a statement of everything delivered through ${through}: ${sumsAsText(body.sums)}.\n\n${address}\n`
  for (const { id: userId, email: to } of await membersOf(read, buyerId)) {
    const subject = `Statement ${number} from ${body.seller.name}`
    await sendLetter(context, { id: `statement-${id}-${userId}`, to, subject, text })
  }
}

/** "10.00 EUR, 500 JPY" */
export const sumsAsText = (sums: readonly Sum[]): string =>
  sums.map(({ coins, currency }) => `${amountOf(coins, currency)} ${currency}`).join(", ")

export type StatementMove =
  | { readonly state: "paid"; readonly paidOn: string }
  | { readonly state: "frozen" }
  | { readonly state: "cancelled" }

const FROM = { paid: ["frozen"], frozen: ["paid"], cancelled: ["frozen", "paid"] } as const
const IN_WORDS = { paid: "marked as paid", frozen: "marked as unpaid", cancelled: "canceled" } as const

/** Marks a statement as paid or unpaid, or cancels it, so that its amounts are open again. */
export async function moveStatement(
  { database, clock }: Context,
  actor: Actor,
  sellerId: number,
  id: number,
  move: StatementMove,
): Promise<"moved" | "not found" | { readonly errors: Errors }> {
  return database.transact(async (tx) => {
    const at = clock()
    const statement = await statementById(tx, sellerId, id)
    if (statement === null || statement.sellerId !== sellerId) return "not found"
    const from: readonly string[] = FROM[move.state]
    if (!from.includes(statement.state)) return { errors: { "": "Someone else changed this statement already." } }
    const today = dayOf(at, statement.body.timeZone)
    if (move.state === "paid" && (!isDate(move.paidOn) || move.paidOn > today))
      return { errors: { paidOn: "Enter the payment date, such as 2026-11-05. It can’t be in the future." } }
    await changeStatement(tx, sellerId, id, { state: move.state, paidOn: move.state === "paid" ? move.paidOn : null })
    const text = `${IN_WORDS[move.state]}: statement ${statement.number}`
    await addAuditEntry(tx, { at, actor, organizationId: sellerId, text })
    return "moved"
  })
}

/** The amounts that a buyer owes through a day. */
export interface BuyerMonth {
  readonly buyerId: number
  readonly buyer: string
  /** The value of everything that was delivered through the day. */
  readonly delivered: readonly Sum[]
  /** The part of it that is in statements. */
  readonly stated: readonly Sum[]
  /** The amounts that aren't in a statement yet. */
  readonly open: readonly Sum[]
  /** Whether the totals of all lines cover the day, as far as later ones could change the amounts. */
  readonly isMeasured: boolean
}

/** Every buyer of a seller for whom something was delivered through a day, or stated, by name. */
export async function monthEnd(read: ReadTx, sellerId: number, through: CalendarDate): Promise<BuyerMonth[]> {
  const lines = await linesSoldBy(read, sellerId, { withArchived: true })
  const { rows, open } = await rowsThrough(read, lines, through, false)
  const months = [...Map.groupBy(lines, ({ buyerId }) => buyerId)].map(([buyerId, own]): BuyerMonth => {
    const ownIds = new Set(own.map(({ id }) => id))
    const isOwn = ({ lineId }: StatementRow) => ownIds.has(lineId)
    const ownOpen = open.filter(isOwn)
    const ownRows = rows.filter(isOwn)
    const delivered = ownRows.map(({ currency, value }) => ({ currency, coins: value }))
    // A statement through a later day may cover more than was delivered by this one.
    const stated = ownRows.map((row) => ({
      currency: row.currency,
      coins: ownOpen.includes(row) ? row.earlier : Math.min(row.earlier, row.value),
    }))
    return {
      buyerId,
      buyer: own[0]?.campaign.buyer ?? "",
      delivered: amountsOf(delivered),
      stated: amountsOf(stated),
      open: amountsOf(ownOpen),
      isMeasured: own.every((line) => isMeasured(line, through)),
    }
  })
  return months
    .filter(({ delivered, stated: before }) => delivered.length > 0 || before.length > 0)
    .toSorted((a, b) => (a.buyer < b.buyer ? -1 : 1))
}

/** The sums that aren't zero. */
const amountsOf = (amounts: readonly Sum[]): Sum[] => sumsOf(amounts).filter(({ coins }) => coins !== 0)

/** Whether something of the month is open, and the totals cover its last day. */
export const isToBill = ({ open, isMeasured }: BuyerMonth): boolean => open.length > 0 && isMeasured

/** The month before today's, and its buyers to bill. */
export async function buyersToBill(read: ReadTx, sellerId: number, today: CalendarDate) {
  const month = monthBefore(today.slice(0, 7))
  const buyers = await monthEnd(read, sellerId, lastDayOf(month))
  return { month, buyers: buyers.filter(isToBill) }
}

/** Whether a line's total covers its last day in the month, up to a day. True if a later total wouldn't change its value. */
function isMeasured(line: StoredLine, day: CalendarDate): boolean {
  const { flightStart, flightEnd, rate, pricingBasis, total, timeZone } = line
  if (rate === null || pricingBasis === "flat_rate" || isDelivered(line)) return true
  const last = flightEnd !== null && flightEnd < day ? flightEnd : day
  const ranInMonth = flightStart <= last && last.slice(0, 7) === day.slice(0, 7)
  if (!ranInMonth || line.isArchived || line.campaign.isArchived) return true
  return total !== null && dayOf(total.asOf, timeZone) >= last
}
