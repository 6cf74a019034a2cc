import { and, eq, lt } from "drizzle-orm"
import {
  type AlertChannel,
  type AlertContent,
  type AlertNews,
  alertNews,
  contentOf,
  headline,
  maskedWebhook,
  nextAttempt,
  plainText,
  signatureHeaders,
  TEST_CONTENT,
  webhookPayload,
} from "../../domain/alert.ts"
import { messageOf } from "../../domain/errors.ts"
import { MICROS_PER_DAY } from "../../domain/time/moment.ts"
import {
  type AlertMessage,
  beginAttempt,
  dueMessages,
  lastingAlerts,
  latestMessages,
} from "../../storage/operations/alerts.ts"
import type { Context } from "../context.ts"
import { publicUrl } from "../mail.ts"
import { type AlertsInForce, alertsInForce, mailInForce } from "../settings.ts"
import { findCauses } from "./find-causes.ts"

const MESSAGES_AT_ONCE = 20
const PROBLEM_CHARACTERS_MAX = 300
const WEBHOOK_MS_MAX = 15_000
// An alert from yesterday is no longer useful.
const GIVE_UP_AFTER = MICROS_PER_DAY

/** Sends every message that is due, one after the other. */
export async function sendAlerts(context: Context, signal?: AbortSignal): Promise<void> {
  const due = await dueMessages(context.database.read, context.clock(), MESSAGES_AT_ONCE)
  const settings = await alertsInForce(context)
  for (const message of due) {
    if (signal?.aborted) return
    await attempt(context, settings, message)
  }
}

async function attempt(context: Context, settings: AlertsInForce, message: AlertMessage): Promise<void> {
  const { database, clock, log } = context
  const { id, channel, createdAt } = message
  const attempts = message.attempts + 1
  const next = nextAttempt(attempts, clock(), Math.random())
  if (!(await database.transactBeside((tx) => beginAttempt(tx, message, next)))) return

  const content = JSON.parse(message.content) as AlertContent
  const problem = await deliver(context, settings, channel, { id, content })
  const now = clock()
  const isLast = problem === null || now - createdAt >= GIVE_UP_AFTER
  const outcome = {
    sentAt: problem === null ? now : null,
    nextAttemptAt: isLast ? null : next,
    problem: problem?.slice(0, PROBLEM_CHARACTERS_MAX) ?? null,
  }
  await database.transactBeside(({ db, alertMessage }) =>
    db.update(alertMessage).set(outcome).where(eq(alertMessage.id, id)),
  )
  if (problem === null) log.info("alert sent", { channel, attempts })
  else log.warn(isLast ? "alert given up" : "alert not sent", { channel, attempts, problem })
}

interface Outgoing {
  /** The same for every attempt, so that a receiver notices what it already has. */
  readonly id: string
  readonly content: AlertContent
}

/** Sends a message. Returns what was wrong, without secrets, or null. */
async function deliver(context: Context, settings: AlertsInForce, channel: AlertChannel, { id, content }: Outgoing) {
  const origin = publicUrl(context)
  if (channel === "webhook") return postToWebhook(context, settings.webhook.value, webhookPayload(id, content, origin))
  const { value: server } = await mailInForce(context)
  const to = settings.to.value.join(", ")
  if (server === null || to === "") return "Mail is no longer set up."
  const letter = { id, to, subject: `Adbooth: ${headline(content)}`, text: plainText(content, origin) }
  return context.services.mail(server, letter)
}

/** Posts signed JSON. Redirects aren't followed: they could lead anywhere. */
async function postToWebhook(
  { clock }: Context,
  webhook: AlertsInForce["webhook"]["value"],
  payload: ReturnType<typeof webhookPayload>,
): Promise<string | null> {
  if (webhook === null) return "The webhook is no longer set up."
  const body = JSON.stringify(payload)
  const headers = { "Content-Type": "application/json", "User-Agent": "Adbooth" }
  try {
    const { status } = await fetch(webhook.url, {
      method: "POST",
      headers: { ...headers, ...signatureHeaders(webhook.secret, payload.id, clock(), body) },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(WEBHOOK_MS_MAX),
    })
    return status >= 200 && status <= 299 ? null : `The receiver answered with status ${status}.`
  } catch (cause) {
    return `The receiver doesn't answer: ${messageOf(cause).replaceAll(webhook.url, maskedWebhook(webhook.url))}`
  }
}

/** A channel that is set up, and whether messages arrive. */
export interface ChannelStatus {
  readonly channel: AlertChannel
  /** Where it leads, without secrets. */
  readonly target: string
  /** Why the newest message didn't arrive. Null if it did, or if there was none. */
  readonly problem: string | null
}

/** The channels that are set up. None if alerts are off. */
export async function alertChannels(context: Context): Promise<readonly ChannelStatus[]> {
  const { to, webhook } = await alertsInForce(context)
  const { value: server } = await mailInForce(context)
  const messages = await latestMessages(context.database.read, 200)
  const status = (channel: AlertChannel, target: string): ChannelStatus => {
    const ofChannel = messages.filter((message) => message.channel === channel)
    const tried = ofChannel.find(({ sentAt, problem }) => sentAt !== null || problem !== null)
    return { channel, target, problem: tried?.sentAt === null ? tried.problem : null }
  }
  return [
    ...(server !== null && to.value.length > 0 ? [status("email", to.value.join(", "))] : []),
    ...(webhook.value !== null ? [status("webhook", maskedWebhook(webhook.value.url))] : []),
  ]
}

/** Sends a test message over every channel at once. */
export async function testAlerts(context: Context) {
  const settings = await alertsInForce(context)
  const channels = await alertChannels(context)
  return Promise.all(
    channels.map(async ({ channel, target }) => {
      const problem = await deliver(context, settings, channel, { id: crypto.randomUUID(), content: TEST_CONTENT })
      return { channel, target, problem }
    }),
  )
}

const KEPT = 30 * MICROS_PER_DAY

/**
 * Looks for problems that need the operator, saves which ones began and which are over, and queues one message for each
 * channel.
 */
export async function checkAlerts(context: Context): Promise<void> {
  const { database, clock } = context
  const channels = await alertChannels(context)
  const { kinds } = await alertsInForce(context)
  const found = await findCauses(context)
  // Causes that the operator turned off are dropped here, so no message says that they began or are over.
  const check = { ...found, causes: found.causes.filter(({ kind }) => kinds.includes(kind)) }
  const now = clock()
  await database.transact(async (tx) => {
    // Read inside the transaction, so that two servers never send the same message.
    const news = alertNews(await lastingAlerts(tx), check, now)
    const { db, alert, alertMessage } = tx
    for (const begun of news.began) await db.insert(alert).values(begun)
    for (const { kind, subject } of news.ended)
      await db.delete(alert).where(and(eq(alert.kind, kind), eq(alert.subject, subject)))
    await db.delete(alertMessage).where(lt(alertMessage.createdAt, now - KEPT))
    const told: AlertNews = { ...news, ended: news.ended.filter(({ kind }) => kinds.includes(kind)) }
    if (told.began.length + told.ended.length === 0) return
    const content = JSON.stringify(contentOf(told))
    const waiting = { content, createdAt: now, attempts: 0, nextAttemptAt: now }
    for (const { channel } of channels)
      await db.insert(alertMessage).values({ id: crypto.randomUUID(), channel, ...waiting })
  })
}
