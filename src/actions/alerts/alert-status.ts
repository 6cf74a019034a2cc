import { type Static, Type } from "@sinclair/typebox"
import { ALERT_CHANNELS } from "../../domain/alerts/alert.ts"
import { timeInUtc } from "../../domain/time/time-zone.ts"
import type { StoreReads } from "../../storage/port/store.ts"
import { settingAs } from "../settings.ts"

// What the server was last started with, and what became of the latest messages.

const Channels = Type.Array(
  Type.Object({
    name: Type.Union(ALERT_CHANNELS.map((name) => Type.Literal(name))),
    target: Type.String({ description: "For people, without secrets." }),
  }),
)
export type NotedChannels = Static<typeof Channels>
const notedChannels = settingAs("alert_channels", Channels)

const MESSAGES_LOOKED_AT = 200

/** No channels where alerts are off. */
export async function alertStatus({ alerts, settings }: Pick<StoreReads, "alerts" | "settings">) {
  const [noted, messages] = await Promise.all([notedChannels({ settings }), alerts.messages(MESSAGES_LOOKED_AT)])
  return {
    channels: (noted ?? []).map(({ name, target }) => {
      const ofChannel = messages.filter(({ channel }) => channel === name)
      const [latest] = ofChannel.filter(({ sentAt, problem }) => sentAt !== null || problem !== null)
      const lastSentAt = ofChannel.find(({ sentAt }) => sentAt !== null)?.sentAt ?? null
      // The newest message that was not sent, if nothing was sent since.
      const failing = latest?.sentAt === null ? latest : null
      return { name, target, lastSentAt, failing }
    }),
  }
}

export type ChannelStatus = Awaited<ReturnType<typeof alertStatus>>["channels"][number]

/** One line for the doctor and the System page. */
export function alertStatusInWords({ channels }: { readonly channels: readonly ChannelStatus[] }) {
  if (channels.length === 0) return { ok: true, detail: "off" }
  const details = channels.map(({ name, target, lastSentAt, failing }) => {
    const channel = `${name} to ${target}`
    if (failing !== null) return `${channel}: not sent on ${timeInUtc(failing.createdAt)}: ${failing.problem}`
    return `${channel}: ${lastSentAt === null ? "nothing sent yet" : `last sent on ${timeInUtc(lastSentAt)}`}`
  })
  return { ok: channels.every(({ failing }) => failing === null), detail: details.join("; ") }
}
