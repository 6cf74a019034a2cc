import { type AlertNews, alertNews } from "../../domain/alerts/alert.ts"
import { contentOf } from "../../domain/alerts/alert-content.ts"
import { MICROS_PER_DAY } from "../../domain/time/moment.ts"
import { addMessage, beginAlert, deleteAlertsBefore, endAlert, lastingAlerts } from "../../storage/operations/alerts.ts"
import type { Context } from "../context.ts"
import { alertsInForce } from "../settings.ts"
import { findCauses } from "./find-causes.ts"
import { alertChannels } from "./send-alerts.ts"

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
    for (const alert of news.began) await beginAlert(tx, alert)
    for (const alert of news.ended) await endAlert(tx, alert, now)
    await deleteAlertsBefore(tx, now - KEPT)
    const told: AlertNews = { ...news, ended: news.ended.filter(({ kind }) => kinds.includes(kind)) }
    if (told.began.length + told.ended.length === 0) return
    const content = JSON.stringify(contentOf(told))
    for (const { channel } of channels) await addMessage(tx, { id: crypto.randomUUID(), channel, content }, now)
  })
}

/** The alerts that last now, for pages. */
export const alertsNow = ({ database }: Pick<Context, "database">) => lastingAlerts(database.read)
