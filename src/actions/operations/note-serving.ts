import { formatMoment } from "../../domain/time/moment.ts"
import type { NotedChannels } from "../alerts/alert-status.ts"
import { type Context, writesOf } from "../context.ts"

export interface Serving {
  /** Where the app is. */
  readonly address: string
  readonly agentAddress: string
  /** Settings for the doctor. */
  readonly servedWith: object
  /** Where alerts go. */
  readonly alertChannels: NotedChannels
}

/** Stores where and how the server runs, for links and checks of other commands. */
export async function noteServing(context: Context, serving: Serving): Promise<void> {
  const { settings } = writesOf(context)
  await Promise.all([
    settings.set("address", serving.address),
    settings.set("agent_address", serving.agentAddress),
    settings.set("served_with", JSON.stringify(serving.servedWith)),
    settings.set("alert_channels", JSON.stringify(serving.alertChannels)),
  ])
}

/** The last that a server does before the process that takes over may open the database. */
export async function noteHandOver(context: Context, machine: string): Promise<void> {
  await writesOf(context).settings.set("handed_over", `${formatMoment(context.clock())} ${machine}`)
}

/** Since when this machine had no server because the one that took over never served; null unless that happened. */
export async function endHandOver(context: Context, machine: string): Promise<string | null> {
  const [at, where] = ((await context.store.settings.get("handed_over")) ?? "").split(" ")
  if (at === undefined || where !== machine) return null
  await writesOf(context).settings.set("handed_over", "")
  return at
}
