import { RATE_WINDOW_SECONDS } from "../../../domain/limits.ts"

// About 150 bytes each. Only addresses are left out beyond it: keys are as many as people have made.
const ADDRESSES_MAX = 200_000
const MS = 1_000

export interface OwnAdmission {
  /** The row of the window. */
  readonly name: string
  readonly caller: string
  readonly capacity: number
  requests: number
}

/** Whom this replica admitted in the last minute, by the second. */
export interface OwnAdmissions {
  note(admitted: OwnAdmission, isAddress: boolean, nowMs: number): void
  /** Each with how long ago it was, in milliseconds; at most a second less than it really was, so never let go too early. */
  recent(nowMs: number): (OwnAdmission & { readonly ageMs: number })[]
  isEmpty(nowMs: number): boolean
}

export function ownAdmissions(): OwnAdmissions {
  const seconds = new Map<number, { readonly admitted: Map<string, OwnAdmission>; addresses: number }>()
  let addresses = 0

  function forget(nowMs: number): void {
    for (const [second, { addresses: over }] of seconds) {
      // Seconds come in order, unless a test moves its clock back.
      if ((second + 1) * MS > nowMs - RATE_WINDOW_SECONDS * MS) return
      seconds.delete(second)
      addresses -= over
    }
  }

  function thisSecond(nowMs: number) {
    const second = Math.floor(nowMs / MS)
    const known = seconds.get(second)
    if (known !== undefined) return known
    forget(nowMs)
    const made = { admitted: new Map<string, OwnAdmission>(), addresses: 0 }
    seconds.set(second, made)
    return made
  }

  return {
    note(one, isAddress, nowMs) {
      const second = thisSecond(nowMs)
      const key = `${one.name}\n${one.caller}`
      const known = second.admitted.get(key)
      if (known !== undefined) known.requests += one.requests
      else if (!isAddress || addresses < ADDRESSES_MAX) {
        second.admitted.set(key, one)
        if (!isAddress) return
        second.addresses += 1
        addresses += 1
      }
    },
    recent(nowMs) {
      forget(nowMs)
      return [...seconds].flatMap(([second, { admitted }]) => {
        const ageMs = Math.max(0, nowMs - (second + 1) * MS)
        return [...admitted.values()].map((one) => ({ ...one, ageMs }))
      })
    },
    isEmpty(nowMs) {
      forget(nowMs)
      return seconds.size === 0
    },
  }
}
