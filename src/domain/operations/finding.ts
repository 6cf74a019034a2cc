/** What a check found. */
export interface Finding {
  readonly check: string
  readonly ok: boolean
  /** The fact, in one sentence. */
  readonly detail: string
  /** What to do, in one sentence. Empty if there is nothing to do. */
  readonly advice: string
}

/** The outcome of a check. Advice only matters if something is wrong. */
export type Outcome = Omit<Finding, "check">

export const passed = (detail: string): Outcome => ({ ok: true, detail, advice: "" })
export const failed = (detail: string, advice: string): Outcome => ({ ok: false, detail, advice })
