import type { Context } from "../../actions/context.ts"
import { saveNote, storedSetting } from "../../actions/settings.ts"
import { type HttpsNote, NOTHING_TRIED } from "../../domain/operations/https.ts"
import { formatMoment } from "../../domain/time/moment.ts"

/** How HTTPS is doing: for the log, checks, alerts and pages. */
export class HttpsNotes {
  readonly #context: Context
  #latest: HttpsNote | null

  private constructor(context: Context, latest: HttpsNote | null) {
    this.#context = context
    this.#latest = latest
  }

  /** Continues from the notes of an earlier start, but tries at once, because the problem may be fixed by now. */
  static async open(context: Context): Promise<HttpsNotes> {
    const stored = await storedSetting(context.database.read, "note.https")
    return new HttpsNotes(context, stored && { ...stored, problem: null, advice: "", nextTryAt: null })
  }

  get latest(): Omit<HttpsNote, "domains" | "url" | "validUntil"> {
    return this.#latest ?? NOTHING_TRIED
  }

  /** The next attempt needn't wait. */
  tryNow(): void {
    if (this.#latest !== null) this.#latest = { ...this.#latest, nextTryAt: null }
  }

  /** Notes a change. A problem is logged once, however often it's found. */
  async change(facts: Pick<HttpsNote, "domains" | "url" | "validUntil">, changes: Partial<HttpsNote>): Promise<void> {
    const before = this.#latest
    // Attempts for other domains no longer matter.
    const isSame = before?.domains.join() === facts.domains.join()
    const next: HttpsNote = { ...NOTHING_TRIED, ...(isSame && before), ...facts, ...changes }
    if (JSON.stringify(next) === JSON.stringify(before)) return
    const { problem, advice, nextTryAt } = next
    if (problem !== null && problem !== before?.problem) {
      const again = nextTryAt === null ? {} : { next_try: formatMoment(nextTryAt) }
      this.#context.log.warn("https has a problem", { problem, advice, ...again })
    }
    this.#latest = next
    await saveNote(this.#context, "note.https", next)
  }

  /** Forgets everything, because this server does no HTTPS. */
  async clear(): Promise<void> {
    if (this.#latest === null) return
    this.#latest = null
    await saveNote(this.#context, "note.https", null)
  }
}
