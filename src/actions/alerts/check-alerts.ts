import { type AlertChannelName, alertNews } from "../../domain/alerts/alert.ts"
import { contentOf } from "../../domain/alerts/alert-content.ts"
import { MICROS_PER_DAY } from "../../domain/time/moment.ts"
import { type Context, writesOf } from "../context.ts"
import { newId } from "../new-id.ts"
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
  const { alerts } = writesOf(context)
  const check = await findCauses(context, surroundings)
  const at = context.clock()
  const news = alertNews(await context.store.alerts.lasting(), check, at)
  const all = [...news.began, ...news.ended]
  const content = JSON.stringify(contentOf(news))
  // With the first part, so a crash before the last part repeats some, but loses none.
  let messages = channels.map((channel) => ({ id: newId(context.random), channel, content }))
  for (let from = 0; from < all.length; from += NOTED_AT_ONCE) {
    const part = all.slice(from, from + NOTED_AT_ONCE)
    const began = part.filter(({ endedAt }) => endedAt === null)
    const ended = part.filter(({ endedAt }) => endedAt !== null)
    const forgetBefore = at - KEPT_DAYS * MICROS_PER_DAY
    // Another server has noted it meanwhile, and sends the messages.
    if (!(await alerts.note({ began, ended, messages, at, forgetBefore }))) return
    messages = []
    await surroundings.pause()
  }
}
