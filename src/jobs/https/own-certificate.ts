import { httpsChoice } from "../../actions/operations/services.ts"
import * as https from "../../domain/operations/https.ts"
import { formatMoment, type Moment } from "../../domain/time/moment.ts"
import type { JobContext } from "../job-context.ts"
import { AcmeProblem } from "./acme.ts"
import { certificateFiles, type ServedCertificate } from "./certificate-files.ts"
import { order } from "./certificate-order.ts"
import type { CertificateSource } from "./certificate-source.ts"
import type { HttpsNotes } from "./https-notes.ts"
import { type HttpsPorts, openPorts } from "./https-ports.ts"

/** The certificate that the server gets from an authority, and renews. What works goes on being served. */
export class OwnCertificate implements CertificateSource {
  readonly #parts: JobContext
  readonly #ports: HttpsPorts
  readonly #notes: HttpsNotes
  readonly #stopping: AbortSignal
  readonly #files
  // Drawn once, so that the moment of renewal does not move with every look.
  readonly #spread: number
  certificate: ServedCertificate | null = null

  constructor(parts: JobContext, ports: HttpsPorts, notes: HttpsNotes, stopping: AbortSignal) {
    this.#parts = parts
    this.#ports = ports
    this.#notes = notes
    this.#stopping = stopping
    this.#files = certificateFiles(parts.config.data)
    this.#spread = this.#chance()
  }

  get dueAt(): Moment | null {
    return this.certificate && https.renewalMoment(this.certificate, this.#spread)
  }

  /** Serves what is there; the authority is not waited for. */
  async begin(): Promise<void> {
    this.certificate = this.#files.read()
    openPorts(this.#ports, this.certificate, this.#parts.config)
  }

  async keep(): Promise<void> {
    this.certificate ??= this.#files.read()
    const { clock, config } = this.#parts
    const problem = openPorts(this.#ports, this.certificate, config) ?? this.#clockProblem()
    const isDue = this.#isRenewalDue(clock())
    if (problem !== null && this.#ports.plainPort === null && isDue) return this.#note(problem)
    if (isDue && https.isTryDue(this.#notes.latest, clock())) await this.#attempt(this.#notes.latest)
    else if (this.#notes.latest.failures === 0) await this.#note(problem ?? { problem: null, advice: "" })
  }

  async #attempt({ failures, domains }: https.HttpsNote): Promise<void> {
    const { clock, config, log, store } = this.#parts
    const email = (await httpsChoice(store))?.email ?? null
    const asked = { files: this.#files, ports: this.#ports, domains, email, stopping: this.#stopping }
    const failed = (await order(config, asked)) ?? this.#stillDue()
    if (this.#stopping.aborted) return
    const triedAt = clock()
    if (failed === null) {
      const until = formatMoment(this.certificate?.validUntil ?? 0)
      log.info("certificate issued", { names: domains.join(", "), until })
      const problem = openPorts(this.#ports, this.certificate, config) ?? this.#clockProblem()
      return this.#note({ ...https.NOTHING_TRIED, triedAt, ...problem })
    }
    const nextTryAt = https.nextTry(failures + 1, triedAt, failed.retryAfterSeconds, this.#chance())
    const told = https.httpsProblem(failed.type, failed.message, domains)
    await this.#note({ ...told, failures: failures + 1, triedAt, nextTryAt })
  }

  #note(change: Partial<https.HttpsNote>): Promise<void> {
    const isServed = this.#ports.securePort !== null
    return this.#notes.change({ validUntil: this.certificate?.validUntil ?? null, isServed, ...change })
  }

  /** A certificate that would have to be renewed at once: ordering one after the other helps nobody. */
  #stillDue(): AcmeProblem | null {
    this.certificate = this.#files.read()
    return this.#isRenewalDue(this.#parts.clock()) ? new AcmeProblem("clock", this.#misfit()) : null
  }

  /** A clock that is behind would renew too late. Others see the certificate as valid, so it is served. */
  #clockProblem(): https.HttpsProblem | null {
    const isAhead = this.certificate !== null && this.#parts.clock() < this.certificate.validFrom
    return isAhead ? https.httpsProblem("clock", this.#misfit(), []) : null
  }

  #misfit(): string {
    const now = formatMoment(this.#parts.clock())
    return `The certificate does not fit this machine's clock, which says ${now}.`
  }

  #isRenewalDue(now: Moment): boolean {
    const { certificate, dueAt } = this
    if (certificate === null || dueAt === null) return true
    return now >= dueAt || !this.#parts.config.domain.every((name) => certificate.names.includes(name))
  }

  #chance(): number {
    return (this.#parts.random(1)[0] ?? 0) / 255
  }
}
