import type { Alert, AlertChannelName, AlertKey, AlertMessage } from "../../domain/alerts/alert.ts"
import { alertNews, keyText } from "../../domain/alerts/alert.ts"
import { contentOf } from "../../domain/alerts/alert-content.ts"
import { inParts } from "../../domain/lists/in-parts.ts"
import { MICROS_PER_DAY, type Moment } from "../../domain/time/moment.ts"
import { all, and, eq, exec, inArray, isNull, lt, type ReadTx, type Step, type Tx } from "../../storage/steps/step.ts"
import { type Context, transact } from "../context.ts"
import { newId } from "../new-id.ts"
import { wantedKinds } from "./alert-choice.ts"
import { type AlertSurroundings, findCauses } from "./find-causes.ts"

const KEPT_DAYS = 30
// A few thousand in one transaction would keep everybody else waiting.
const NOTED_AT_ONCE = 100

/** Looks for what needs an operator, notes what is new or over, and queues one message about it for each channel. */
export async function checkAlerts(
  context: Context,
  surroundings: AlertSurroundings,
  channels: readonly AlertChannelName[],
): Promise<void> {
  const check = await findCauses(context, surroundings)
  const at = context.clock()
  const wanted = await wantedKinds(context.store)
  // What nobody wants to hear of is as if it were not so, and nobody is told that it is over.
  const causes = check.causes.filter(({ kind }) => wanted.includes(kind))
  const news = alertNews(await context.store.alerts.lasting(), { ...check, causes }, at)
  const all = [...news.began, ...news.ended]
  const told = { ...news, ended: news.ended.filter(({ kind }) => wanted.includes(kind)) }
  const content = JSON.stringify(contentOf(told))
  // With the first part, so a crash before the last part repeats some, but loses none.
  let messages = (told.began.length + told.ended.length === 0 ? [] : channels).map((channel) => ({
    id: newId(context.random),
    channel,
    content,
  }))
  for (const part of inParts(all, NOTED_AT_ONCE)) {
    const began = part.filter(({ endedAt }) => endedAt === null)
    const ended = part.filter(({ endedAt }) => endedAt !== null)
    const forgetBefore = at - KEPT_DAYS * MICROS_PER_DAY
    // Another server has noted it meanwhile, and sends the messages.
    const changes = { began, ended, messages, at, forgetBefore }
    if (!(await transact(context, (tx) => noteAlerts(tx, changes)))) return
    messages = []
    await surroundings.pause()
  }
}

export interface AlertChanges {
  readonly began: readonly Alert[]
  /** They are over at `at`. */
  readonly ended: readonly AlertKey[]
  readonly messages: readonly Pick<AlertMessage, "id" | "channel" | "content">[]
  readonly at: Moment
  /** What was over, and messages that were made, before this moment is deleted. */
  readonly forgetBefore: Moment
}

/** False, and nothing is written, when one of `began` lasts already, or one of `ended` does not. */
export function* noteAlerts(tx: Tx, { began, ended, messages, at, forgetBefore }: AlertChanges): Step<boolean> {
  const { db, alert, alertMessage } = tx
  const lasting = yield* lastingAmong(tx, [...began, ...ended])
  const lasts = (key: AlertKey) => lasting.has(keyText(key))
  if (began.some(lasts) || !ended.every(lasts)) return false
  yield* exec(db.delete(alert).where(lt(alert.endedAt, forgetBefore)))
  yield* exec(db.delete(alertMessage).where(lt(alertMessage.createdAt, forgetBefore)))
  const target = [alert.kind, alert.subject]
  for (const begun of began) yield* exec(db.insert(alert).values(begun).onConflictDoUpdate({ target, set: begun }))
  for (const { kind, subject } of ended) {
    const isIt = and(eq(alert.kind, kind), eq(alert.subject, subject))
    yield* exec(db.update(alert).set({ endedAt: at }).where(isIt))
  }
  const waiting = { createdAt: at, attempts: 0, nextAttemptAt: at }
  for (const message of messages) yield* exec(db.insert(alertMessage).values({ ...message, ...waiting }))
  return true
}

/** Which of these alerts last, and perhaps others. */
function* lastingAmong({ db, alert }: ReadTx, keys: readonly AlertKey[]): Step<Set<string>> {
  const { kind, subject, endedAt } = alert
  const kinds = [...new Set(keys.map((key) => key.kind))]
  const subjects = keys.map((key) => key.subject)
  const isAmong = and(inArray(kind, kinds), inArray(subject, subjects), isNull(endedAt))
  return new Set((yield* all(db.select({ kind, subject }).from(alert).where(isAmong))).map(keyText))
}
