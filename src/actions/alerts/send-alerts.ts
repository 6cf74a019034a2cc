import type { AlertMessage } from "../../domain/alerts/alert.ts"
import { readContent } from "../../domain/alerts/alert-content.ts"
import { isGivenUp, nextAttempt } from "../../domain/alerts/backoff.ts"
import { messageOf } from "../../domain/user-error.ts"
import { type Context, writesOf } from "../context.ts"
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
async function attempt(
  context: Context,
  channel: AlertChannel,
  message: AlertMessage,
  { origin, stopped }: Sending,
): Promise<SentAlert[]> {
  const { alerts } = writesOf(context)
  const attempts = message.attempts + 1
  const chance = (context.random(1)[0] ?? 0) / 255
  const next = nextAttempt(attempts, context.clock(), chance)
  // Before it is sent: whoever crashes meanwhile tries again later, not at once and not forever.
  if (!(await alerts.beginAttempt(message, next))) return []
  const { id, createdAt: at } = message
  const { isSent, problem } = await channel.send({ id, at, content: readContent(message), origin }, stopped).then(
    (remark) => ({ isSent: true, problem: remark }),
    (cause: unknown) => ({ isSent: false, problem: messageOf(cause) }),
  )
  const now = context.clock()
  const isLast = !isSent && isGivenUp(message.createdAt, now)
  await alerts.endAttempt(id, {
    sentAt: isSent ? now : null,
    nextAttemptAt: isSent || isLast ? null : next,
    problem: problem?.slice(0, PROBLEM_CHARACTERS_MAX) ?? null,
  })
  return [{ channel, attempts, isSent, problem, isGivenUp: isLast }]
}

/** The channel was switched off: nobody wants the message any more. */
function giveUp(context: Context, { id }: AlertMessage): Promise<void> {
  return writesOf(context).alerts.endAttempt(id, { sentAt: null, nextAttemptAt: null, problem: null })
}
