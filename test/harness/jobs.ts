import type { Context } from "../../src/actions/context.ts"
import { type Choices, choose } from "../../src/actions/settings.ts"
import { JOBS } from "../../src/jobs/index.ts"

/** Does what the server does by the clock, once and now: "backups", "alerts", "alert messages" or "upkeep". */
export async function runJob(context: Context, name: string): Promise<void> {
  const job = JOBS.find((job) => job.name === name)
  if (job === undefined) throw new Error(`There is no job ${name}.`)
  await job.run(context, new AbortController().signal)
}

/** Looks for alerts and sends what there is to send. */
export async function lookForAlerts(context: Context): Promise<void> {
  await runJob(context, "alerts")
  await runJob(context, "alert messages")
}

/** Chooses a setting as an operator does in the app. */
export async function chooseInApp<Name extends keyof Choices>(context: Context, name: Name, choice: Choices[Name]) {
  await choose(context, "test", name, choice)
}
