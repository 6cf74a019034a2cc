import { type Context, writesOf } from "../context.ts"

export interface Serving {
  /** Where people find the app. */
  readonly address: string
  readonly agentAddress: string
  /** The settings that the doctor compares with those of its own. */
  readonly servedWith: object
}

/** Remembers where and how the server runs, for the links and checks of other commands. */
export async function noteServing(context: Context, serving: Serving): Promise<void> {
  const { settings } = writesOf(context)
  await Promise.all([
    settings.set("address", serving.address),
    settings.set("agent_address", serving.agentAddress),
    settings.set("served_with", JSON.stringify(serving.servedWith)),
  ])
}
