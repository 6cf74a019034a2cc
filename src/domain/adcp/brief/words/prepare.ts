import { table } from "../reading/letters.ts"
import { adjectives } from "./places.ts"
import { subjectOf } from "./subjects.ts"

const steps = [table, () => subjectOf("a", "en"), adjectives]
let done = 0

/** Makes a part of the words that briefs are read by; false when all are made. Whatever is not made yet is made when a brief comes. */
export function prepareSome(): boolean {
  steps[done]?.()
  done++
  return done < steps.length
}
