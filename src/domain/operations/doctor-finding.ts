/** One thing that was looked at. */
export interface DoctorFinding {
  readonly check: string
  readonly ok: boolean
  readonly detail: string
  /** What to do about it. */
  readonly advice?: string
}

/** A finding, with the advice only where something is wrong. */
export function finding(check: string, ok: boolean, detail: string, advice: string): DoctorFinding {
  return { check, ok, detail, ...(!ok && { advice }) }
}
