export interface DoctorFinding {
  readonly check: string
  readonly ok: boolean
  readonly detail: string
  readonly advice?: string
}

/** A finding; advice is included only for a problem. */
export function finding(check: string, ok: boolean, detail: string, advice: string): DoctorFinding {
  return { check, ok, detail, ...(!ok && { advice }) }
}
