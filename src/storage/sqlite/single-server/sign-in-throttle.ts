import { randomInt } from "node:crypto"
import { failureCounts } from "../../../domain/people/sign-in-throttle.ts"
import type { SignInThrottle } from "../../port/people/sign-in-throttle.ts"

/** Failed sign-ins, kept in memory: this is the only server using the data directory. */
export function signInThrottle(): SignInThrottle {
  const counts = failureCounts(randomInt(2 ** 32))
  return {
    async begin(subjects, now) {
      const waitSeconds = Math.max(...subjects.map((subject) => counts.waitSeconds(subject, now)))
      return { waitSeconds, counted: waitSeconds > 0 ? [] : subjects.map((subject) => counts.failed(subject, now)) }
    },
    async takeBack(counted) {
      for (const one of counted) counts.takeBack(one)
    },
    async succeeded(subjects) {
      for (const subject of subjects) counts.succeeded(subject)
    },
  }
}
