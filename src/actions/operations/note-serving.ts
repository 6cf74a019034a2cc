import { type Context, writesOf } from "../context.ts"

export interface Serving {
  /** Where the app is. */
  readonly address: string
  readonly agentAddress: string
  /** Settings for the doctor. */
  readonly servedWith: object
}

/** Stores where and how the server runs, for links and checks of other commands. */
export async function noteServing(context: Context, serving: Serving): Promise<void> {
  const { settings } = writesOf(context)
  await Promise.all([
    settings.set("address", serving.address),
    settings.set("agent_address", serving.agentAddress),
    settings.set("served_with", JSON.stringify(serving.servedWith)),
  ])
}
