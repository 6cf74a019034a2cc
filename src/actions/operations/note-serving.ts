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
