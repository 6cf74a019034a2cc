import { type AlertChannelName, type AlertMessage, isGivenUp } from "../../domain/alerts/alert.ts"
import { type AlertContent, readContent, TEST_CONTENT } from "../../domain/alerts/alert-content.ts"
import { nextAttempt } from "../../domain/operations/next-attempt.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { messageOf } from "../../domain/user-error.ts"
import { and, eq, exec, isNotNull, isThere, type Tx } from "../../storage/steps/step.ts"
import { type Context, transact } from "../context.ts"
import { newId } from "../new-id.ts"

const MESSAGES_AT_ONCE = 20
const PROBLEM_CHARACTERS_MAX = 300

type Sending = Readonly<{ origin: string; stopped?: AbortSignal }>

/** Makes every attempt that is due, one after the other, and returns what became of each. */
export async function sendAlerts(context: Context, channels: readonly AlertChannel[], sending: Sending) {
  const sent: Awaited<ReturnType<typeof attempt>> = []
  for (const message of await context.store.alerts.due(context.clock(), MESSAGES_AT_ONCE)) {
    const channel = channels.find(({ name }) => name === message.channel)
    if (sending.stopped?.aborted) break
    if (channel === undefined) await giveUp(context, message)
    else sent.push(...(await attempt(context, channel, message, sending)))
  }
  return sent
}

/** Nothing is returned when another server makes the attempt. With what was sent, the problem is who did not get it. */
async function attempt(context: Context, channel: AlertChannel, message: AlertMessage, { origin, stopped }: Sending) {
  const attempts = message.attempts + 1
  const chance = (context.random(1)[0] ?? 0) / 255
  const next = nextAttempt(attempts, context.clock(), chance)
  // Before it is sent: a server that crashes meanwhile tries again later, not at once and not forever.
  if (!(await transact(context, (tx) => beginAttempt(tx, message, next)))) return []
  const { id, createdAt: at } = message
  const { isSent, problem } = await outcomeOf(channel.send({ id, at, content: readContent(message), origin }, stopped))
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

const outcomeOf = (sending: Promise<string | null>) =>
  sending.then(
    (remark) => ({ isSent: true, problem: remark }),
    (cause: unknown) => ({ isSent: false, problem: messageOf(cause) }),
  )

/** The channel was switched off: nobody wants the message any more. */
function giveUp(context: Context, { id }: AlertMessage): Promise<void> {
  const outcome = { sentAt: null, nextAttemptAt: null, problem: null }
  return transact(context, (tx) => endAttempt(tx, id, outcome))
}

type Attempted = Pick<AlertMessage, "id" | "attempts">

/**
 * Counts an attempt before it is made. False when another server was faster: then it must not be made. After a crash the next attempt
 * is at `nextAttemptAt`.
 */
export function beginAttempt({ db, alertMessage }: Tx, { id, attempts }: Attempted, nextAttemptAt: Moment) {
  const isUnsent = and(eq(alertMessage.id, id), isNotNull(alertMessage.nextAttemptAt))
  const isNext = and(isUnsent, eq(alertMessage.attempts, attempts))
  const counting = db.update(alertMessage).set({ attempts: attempts + 1, nextAttemptAt })
  return isThere(counting.where(isNext).returning({ id: alertMessage.id }))
}

type AttemptOutcome = Pick<AlertMessage, "sentAt" | "nextAttemptAt" | "problem">

export const endAttempt = ({ db, alertMessage }: Tx, id: string, outcome: AttemptOutcome) =>
  exec(db.update(alertMessage).set(outcome).where(eq(alertMessage.id, id)))

export interface OutgoingAlert {
  /** The same for every attempt, so that a receiver notices one that it got already. */
  readonly id: string
  readonly at: Moment
  readonly content: AlertContent
  readonly origin: string
}

/** A way to reach the operator. */
export interface AlertChannel {
  readonly name: AlertChannelName
  /** Where it goes, for people, without secrets. */
  readonly target: string
  /**
   * Sends it. Returns what went wrong although somebody got it, or null. Throws an error whose message says why nobody did, without
   * secrets. Ends within a minute, and soon after `stopped`.
   */
  send(message: OutgoingAlert, stopped?: AbortSignal): Promise<string | null>
}

/** Sends a test message over every channel, and says what became of each. */
export const testChannels = (
  { random, clock }: Pick<Context, "random" | "clock">,
  channels: readonly AlertChannel[],
  origin: string,
) =>
  Promise.all(
    channels.map(async (channel) => {
      const message = { id: newId(random), at: clock(), content: TEST_CONTENT, origin }
      const { isSent: sent, problem } = await outcomeOf(channel.send(message))
      return { channel: channel.name, to: channel.target, sent, problem }
    }),
  )
