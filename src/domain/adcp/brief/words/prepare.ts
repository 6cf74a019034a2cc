import { cues } from "../reading/cues.ts"
import { channelAt } from "./channels.ts"
import { isFrequent } from "./frequent.ts"
import { languages } from "./languages.ts"
import { lettersOf, placeAt } from "./places.ts"
import { namesSubject } from "./subjects.ts"
import { tokenize } from "./tokens.ts"

const some = tokenize("Austria")
const steps = [
  () => channelAt(some, 0),
  () => isFrequent("a"),
  () => namesSubject("a", "en"),
  cues,
  ...languages.map((language) => () => placeAt(some, 0, language, lettersOf(some))),
]
let done = 0

/** Makes a part of the words that briefs are read by; false when all are made. Whatever is not made yet is made when a brief comes. */
export function prepareSome(): boolean {
  steps[done]?.()
  done++
  return done < steps.length
}
