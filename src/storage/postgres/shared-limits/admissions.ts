import type { Admissions } from "../../port/admissions.ts"
import type { Connection } from "../engine/connection.ts"
import type { FoundKey } from "./admission-batch.ts"
import { admissionQueue } from "./admission-queue.ts"
import type { GivenClock } from "./clock.ts"
import { sweeping } from "./sweep.ts"

/** Keys and rate windows from the tables, so that all replicas together admit as many as one would. `now` is the clock's business. */
export function admissions(connection: Connection, clock: GivenClock): Admissions & Disposable {
  const queue = admissionQueue(connection, clock)
  const sweeper = sweeping(connection, clock)
  return {
    async ingest(fingerprint, window) {
      const answer = await queue.ask("ingest", fingerprint, window)
      const key = ingestKey(answer?.key)
      return answer === null || key === null ? null : { key, admission: answer.admission }
    },
    async agent(fingerprint, window) {
      const answer = await queue.ask("agent", fingerprint, window)
      if (answer === null || answer.key === null) return null
      return { key: { id: answer.key.id }, admission: answer.admission }
    },
    async caller(window, caller, _, answerBy) {
      const answer = await queue.ask("caller", caller, window, answerBy)
      if (answer === null) throw new Error("a caller without a key was not counted")
      return answer.admission
    },
    [Symbol.dispose]: () => sweeper[Symbol.dispose](),
  }
}

function ingestKey(key: FoundKey | null | undefined) {
  const organizationId = key?.organizationId ?? null
  return key === null || key === undefined || organizationId === null ? null : { id: key.id, organizationId }
}
