import type { Change } from "../../domain/people/audit.ts"
import type { Organization } from "../../domain/people/organization.ts"
import { partsBeyond, partsOf } from "../../domain/sale/settled.ts"
import type { StatementBody, StatementDraft } from "../../domain/sale/statement.ts"
import {
  countedWhole,
  nextNumber,
  readDraft,
  statedIn,
  stateLine,
  statementsInForce,
  totalsOf,
} from "../../domain/sale/statement.ts"
import { type CalendarDate, type Moment, parseDate } from "../../domain/time/moment.ts"
import { dayOf } from "../../domain/time/time-zone.ts"
import type { CampaignHead, Statement } from "../../storage/port/store.ts"
import { audit } from "../../storage/steps/audit.ts"
import { linesToState, statementReads } from "../../storage/steps/sales.ts"
import { and, desc, eq, exec, first, type ReadTx, type Step } from "../../storage/steps/step.ts"
import { type Context, query, verb } from "../context.ts"

/** The last totals of the days of each line, by its id. */
type DayTotals = Awaited<ReturnType<Context["store"]["deliveryHistory"]["days"]>>

/** A statement of what a seller delivered of a campaign: a new one has no id. */
export type StatementOf = Readonly<{ seller: Organization; campaign: StatedCampaign; id: number | null }>
type StatedCampaign = Pick<CampaignHead, "id" | "name" | "slug">

/** What a statement would say now, and the number that it would get. */
export const previewStatement = (context: Context, of: StatementOf, draft: StatementDraft) =>
  query(context, function* (tx) {
    return { ...(yield* bodyOf(tx, of, draft)), number: yield* numberAt(tx, of, context.clock()) }
  })

function* numberAt(tx: ReadTx, { seller }: StatementOf, at: Moment): Step<string> {
  const year = dayOf(at, seller.timeZone).slice(0, 4)
  return nextNumber(year, yield* statementReads.lastNumber(tx, seller.id, year))
}

function* bodyOf(tx: ReadTx, { seller, campaign }: StatementOf, draft: StatementDraft): Step<StatementBody> {
  const lines = yield* linesToState(tx, [campaign.id], seller.id)
  const [last, ...others] = statementsInForce(yield* statementReads.list(tx, [campaign.id], seller.id))
  const measured = lines.flatMap(({ total }) => total?.asOf ?? [])
  const ends = lines.map(({ flightEnd }) => flightEnd)
  const { from, to, reference, countAll } = draft
  return {
    ...{ from, to, reference, added: readDraft(draft).added, campaign: campaign.name, zone: seller.timeZone },
    period: {
      from: lines.map(({ flightStart }) => flightStart).toSorted()[0] ?? "",
      to: ends.includes(null) ? null : (ends.toSorted().at(-1) ?? null),
    },
    asOf: measured.length === 0 ? null : Math.max(...measured),
    lines: lines.map((line) => stateLine(line, countAll.includes(line.packageId))),
    corrected: last ? { id: last.id, number: last.number ?? "", sums: statedIn([last, ...others]) } : null,
  }
}

/** What it settles, by line and period, beyond those before. */
function* settledBy(tx: ReadTx, of: StatementOf, body: StatementBody, totals: DayTotals, at: Moment) {
  const { seller, campaign } = of
  const lines = yield* linesToState(tx, [campaign.id], seller.id)
  const before = yield* statementReads.list(tx, [campaign.id], seller.id)
  const whole = countedWhole(body)
  const parts = lines.flatMap((line) =>
    partsOf(line, totals.get(line.id) ?? [], seller.timeZone, whole.includes(line.packageId)),
  )
  return partsBeyond(before, parts, body.added, dayOf(at, seller.timeZone))
}

/** The statement of this id; without one, the draft of the campaign: a new one that is sent twice is the same. */
function* ownStatement({ db, saleStatement }: ReadTx, { seller, campaign, id }: StatementOf) {
  const isOwn = and(eq(saleStatement.sellerId, seller.id), eq(saleStatement.campaignId, campaign.id))
  const isIt = id === null ? eq(saleStatement.state, "draft") : eq(saleStatement.id, id)
  // An earlier version may have left several drafts: the latest is the one that people are led to.
  return yield* first(db.select().from(saleStatement).where(and(isIt, isOwn)).orderBy(desc(saleStatement.id)))
}

/** What is confirmed when a statement is frozen: its sums, and the one that it follows, so that none of 0.00 is frozen twice. */
export const sumsText = (body: StatementBody): string =>
  [...totalsOf(body).flatMap(({ currency, amount }) => [currency, amount]), body.corrected?.number ?? "first"].join(" ")

/**
 * Saves a draft or, where a sum was confirmed, freezes it: with the next number of the seller's year, the figures as they are in this
 * transaction and who did it. A frozen one never changes. "changed": it is no longer what was confirmed. "drafted": somebody else
 * began another draft meanwhile.
 */
export async function saveStatement(
  context: Context,
  of: StatementOf,
  draft: StatementDraft,
  confirmed: string | undefined,
  actor: string,
) {
  const { store } = context
  const lines = confirmed === undefined ? [] : await store.statements.lines([of.campaign.id], of.seller.id)
  const totals = await store.deliveryHistory.days(lines.map(({ id }) => id))
  return storeStatement(context, of, draft, { confirmed, totals }, actor)
}

type Freezing = Readonly<{ confirmed: string | undefined; totals: DayTotals }>

/** The transaction of it. */
export const storeStatement = verb(function* (
  tx,
  of: StatementOf,
  draft: StatementDraft,
  { confirmed, totals }: Freezing,
  by: Change,
) {
  const { db, saleStatement } = tx
  const { seller, campaign } = of
  const before = yield* ownStatement(tx, of)
  if (of.id !== null && before?.state !== "draft") return { outcome: "not found" } as const
  if (of.id === null && before !== undefined && before.body !== JSON.stringify(draft))
    return { outcome: "drafted", id: before.id } as const
  const stated = confirmed === undefined ? null : yield* bodyOf(tx, of, draft)
  if (stated !== null && sumsText(stated) !== confirmed) return { outcome: "changed" } as const
  const body = stated && { ...stated, settles: yield* settledBy(tx, of, stated, totals, by.at) }
  const number = body === null ? null : yield* numberAt(tx, of, by.at)
  const frozen = body && ({ state: "frozen", number, frozenAt: by.at, frozenBy: by.actor } as const)
  const corrects = body?.corrected?.id ?? null
  const saved = { state: "draft" as const, ...frozen, body: JSON.stringify(body ?? draft), corrects }
  const owned = { sellerId: seller.id, campaignId: campaign.id, createdAt: by.at }
  const saving =
    before === undefined
      ? db.insert(saleStatement).values({ ...owned, ...saved })
      : db.update(saleStatement).set(saved).where(eq(saleStatement.id, before.id))
  const row = yield* first(saving.returning())
  if (row === undefined) throw new Error("the statement was not saved")
  const action = body === null ? "save statement" : "freeze statement"
  const details = { campaign: campaign.slug, ...(number !== null && { number }) }
  yield* audit(tx, by, { action, subject: number ?? `${row.id}`, organizationId: seller.id, details })
  return { outcome: "done", id: row.id, number } as const
})

const STATEMENT_MOVES = {
  paid: { from: ["frozen"], action: "pay statement" },
  cancelled: { from: ["frozen", "paid"], action: "cancel statement" },
  discarded: { from: ["draft"], action: "discard statement" },
}
type StatementMove = { readonly to: "paid"; readonly on: CalendarDate } | { readonly to: "cancelled" | "discarded" }

/** False unless the statement allows it. */
export const moveStatement = verb(function* (tx, of: StatementOf, move: StatementMove, by: Change) {
  const { db, saleStatement } = tx
  const before = yield* ownStatement(tx, of)
  const { from, action } = STATEMENT_MOVES[move.to]
  if (before === undefined || !from.includes(before.state)) return false
  const paidOn = move.to === "paid" ? move.on : before.paidOn
  const changing =
    move.to === "discarded" ? db.delete(saleStatement) : db.update(saleStatement).set({ state: move.to, paidOn })
  yield* exec(changing.where(eq(saleStatement.id, before.id)))
  yield* audit(tx, by, { action, subject: before.number ?? `${before.id}`, organizationId: of.seller.id })
  return true
})

/** The day on which a statement was paid, or why it is none. */
export function readPaidOn(text: string, { frozenAt }: Statement, zone: string, today: CalendarDate) {
  const day = parseDate(text)
  if (day === undefined) return { error: "Enter a day such as 2026-12-04." }
  if (day > today) return { error: "This day is in the future." }
  return day < dayOf(frozenAt ?? 0, zone) ? { error: "This is before the statement was made." } : { day }
}
