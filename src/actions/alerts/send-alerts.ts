import { type AlertMessage, isGivenUp, nextAttempt } from "../../domain/alerts/alert.ts"
import { readContent } from "../../domain/alerts/alert-content.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { messageOf } from "../../domain/user-error.ts"
import { and, eq, exec, first, isNotNull, type Step, type Tx } from "../../storage/steps/step.ts"
import { type Context, transact } from "../context.ts"
import type { AlertChannel } from "./alert-channel.ts"

const MESSAGES_AT_ONCE = 20
const PROBLEM_CHARACTERS_MAX = 300

export interface Sending {
  /** The address of this installation. */
  readonly origin: string
  readonly stopped?: AbortSignal
}

export interface SentAlert {
  readonly channel: AlertChannel
  readonly attempts: number
  readonly isSent: boolean
  /** Where it was sent: who did not get it. */
  readonly problem: string | null
  readonly isGivenUp: boolean
}

/** Makes every attempt that is due, one after the other, and returns what became of each. */
export async function sendAlerts(
  context: Context,
  channels: readonly AlertChannel[],
  sending: Sending,
): Promise<SentAlert[]> {
  const sent: SentAlert[] = []
  for (const message of await context.store.alerts.due(context.clock(), MESSAGES_AT_ONCE)) {
    const channel = channels.find(({ name }) => name === message.channel)
    if (sending.stopped?.aborted) break
    if (channel === undefined) await giveUp(context, message)
    else sent.push(...(await attempt(context, channel, message, sending)))
  }
  return sent
}

/** Nothing is returned when another server makes the attempt. */
async function attempt(context: Context, channel: AlertChannel, message: AlertMessage, { origin, stopped }: Sending) {
  const attempts = message.attempts + 1
  const chance = (context.random(1)[0] ?? 0) / 255
  const next = nextAttempt(attempts, context.clock(), chance)
  // Before it is sent: whoever crashes meanwhile tries again later, not at once and not forever.
  if (!(await transact(context, (tx) => beginAttempt(tx, message, next)))) return []
  const { id, createdAt: at } = message
  const { isSent, problem } = await channel.send({ id, at, content: readContent(message), origin }, stopped).then(
    (remark) => ({ isSent: true, problem: remark }),
    (cause: unknown) => ({ isSent: false, problem: messageOf(cause) }),
  )
  const now = context.clock()
  const isLast = !isSent && isGivenUp(message.createdAt, now)
  const outcome = {
    sentAt: isSent ? now : null,
    nextAttemptAt: isSent || isLast ? null : next,
    problem: problem?.slice(0, PROBLEM_CHARACTERS_MAX) ?? null,
  }
  await transact(context, (tx) => endAttempt(tx, id, outcome))
  return [{ channel, attempts, isSent, problem, isGivenUp: isLast }]
}

/** The channel was switched off: nobody wants the message any more. */
function giveUp(context: Context, { id }: AlertMessage): Promise<void> {
  const outcome = { sentAt: null, nextAttemptAt: null, problem: null }
  return transact(context, (tx) => endAttempt(tx, id, outcome))
}

/**
 * Counts an attempt before it is made. False when another server was faster: then it must not be made. After a crash the next attempt
 * is at `nextAttemptAt`.
 */
export function* beginAttempt(
  { db, alertMessage }: Tx,
  { id, attempts }: Pick<AlertMessage, "id" | "attempts">,
  nextAttemptAt: Moment,
): Step<boolean> {
  const isOpen = and(eq(alertMessage.id, id), isNotNull(alertMessage.nextAttemptAt))
  const isNext = and(isOpen, eq(alertMessage.attempts, attempts))
  const counting = db.update(alertMessage).set({ attempts: attempts + 1, nextAttemptAt })
  return (yield* first(counting.where(isNext).returning({ id: alertMessage.id }))) !== undefined
}

type AttemptOutcome = Pick<AlertMessage, "sentAt" | "nextAttemptAt" | "problem">

export function* endAttempt({ db, alertMessage }: Tx, id: string, outcome: AttemptOutcome): Step<void> {
  yield* exec(db.update(alertMessage).set(outcome).where(eq(alertMessage.id, id)))
}
