import { httpsNote, noteHttps } from "../../actions/operations/services.ts"
import { type HttpsNote, NOTHING_TRIED } from "../../domain/operations/https.ts"
import { formatMoment } from "../../domain/time/moment.ts"
import { messageOf } from "../../domain/user-error.ts"
import type { JobContext } from "../job-context.ts"

/** How HTTPS stands, for the log, the doctor, alerts and pages. */
export class HttpsNotes {
  readonly #parts: JobContext
  #latest: HttpsNote

  private constructor(parts: JobContext, latest: HttpsNote) {
    this.#parts = parts
    this.#latest = latest
  }

  /** Goes on from what was noted before, if it is about the same names. A start tries again at once: somebody may have put it right. */
  static async goOn(parts: JobContext): Promise<HttpsNotes> {
    const before = await httpsNote(parts.store).catch(() => null)
    const domains = [...parts.config.domain]
    const isSame = before?.domains.join() === domains.join()
    const first = isSame
      ? { ...before, problem: null, advice: "", nextTryAt: null }
      : { ...NOTHING_TRIED, domains, validUntil: null }
    return new HttpsNotes(parts, first)
  }

  get latest(): HttpsNote {
    return this.#latest
  }

  /** A problem is logged once, however often it is found. */
  async change(change: Partial<HttpsNote>): Promise<void> {
    const { log } = this.#parts
    const before = this.#latest
    const next = { ...before, ...change }
    if (JSON.stringify(next) === JSON.stringify(before)) return
    if (next.problem !== null && next.problem !== before.problem) {
      const again = next.nextTryAt === null ? {} : { next_try: formatMoment(next.nextTryAt) }
      log.warn("https has a problem", { problem: next.problem, advice: next.advice, ...again })
    }
    this.#latest = next
    await noteHttps(this.#parts, next).catch((cause) => log.warn("https not noted", { cause: messageOf(cause) }))
  }

  /** The next attempt need not wait. */
  tryNow(): void {
    this.#latest = { ...this.#latest, nextTryAt: null }
  }
}
