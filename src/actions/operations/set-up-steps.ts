import type { SetUpProgress } from "../../storage/port/store.ts"
import type { Context } from "../context.ts"

export interface SetUpStep {
  readonly step: keyof SetUpProgress
  readonly done: boolean
}

const ORDER: readonly (keyof SetUpProgress)[] = [
  "organization",
  "line",
  "ingestKey",
  "delivery",
  "product",
  "agentKey",
  "opening",
]

/** The steps to set up a new installation, in order. Null once all are done. */
export async function setUpSteps({ store }: Pick<Context, "store">): Promise<readonly SetUpStep[] | null> {
  const progress = await store.health.setUpProgress()
  const steps = ORDER.map((step) => ({ step, done: progress[step] }))
  return steps.every(({ done }) => done) ? null : steps
}
