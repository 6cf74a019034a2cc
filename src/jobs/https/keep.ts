import type { Context, HttpsService } from "../../actions/context.ts"
import { publicUrl } from "../../actions/mail.ts"
import { httpsInForce, saveNote, storedSetting } from "../../actions/settings.ts"
import {
  type HttpsNote,
  type HttpsProblem,
  httpsProblem,
  isTryDue,
  NOTHING_TRIED,
  nextTry,
  renewalMoment,
} from "../../domain/operations/https.ts"
import { formatMoment } from "../../domain/time/moment.ts"
import type { Responder } from "../../http/server.ts"
import { AcmeProblem, orderCertificate } from "./acme.ts"
import {
  type Certificate,
  type CertificateStore,
  certificateStore,
  newKey,
  type OwnFiles,
  ownFiles,
} from "./certificate.ts"
import { type HttpsPorts, httpsPorts, openPorts } from "./front.ts"

/** How HTTPS is doing: for the log, checks, alerts and pages. */
class HttpsNotes {
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

const ORDER_MS_MAX = 180_000

interface Order {
  /** The ACME directory of the authority. */
  readonly directory: string
  readonly store: CertificateStore
  readonly ports: HttpsPorts
  readonly domains: readonly string[]
  readonly email: string | null
  readonly stopping: AbortSignal
}

/** Gets a certificate from the authority and stores it. Returns what went wrong, or null. */
async function order(wanted: Order): Promise<AcmeProblem | null> {
  const { directory, store, ports, domains, email, stopping } = wanted
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(ORDER_MS_MAX)])
  try {
    const [accountKey, key] = [await store.accountKey(), await newKey()]
    const chain = await orderCertificate({ directory, accountKey, email, domains, key, publish: ports.publish }, signal)
    await store.write(key, chain)
    return null
  } catch (cause) {
    return cause instanceof AcmeProblem ? cause : new AcmeProblem("unknown", (cause as Error).message)
  } finally {
    ports.unpublish()
  }
}

const LOOK_MS = 5_000
const LOOK_SOON_MS = 1_000

/**
 * Gets, renews and serves the certificate. Failures are saved and tried again, and the last good certificate is served
 * meanwhile.
 */
export class HttpsKeeper implements HttpsService {
  readonly #context: Context
  readonly #notes: HttpsNotes
  readonly #ports
  readonly #store
  /** The operator's own certificate. Null if the authority's is used. */
  readonly #own: OwnFiles | null
  readonly #stopping = new AbortController()
  // Drawn once, so that the moment of renewal doesn't change with every check.
  readonly #spread = Math.random()
  #certificate: Certificate | null = null
  #domains: readonly string[] = []
  #email: string | null = null
  #working: Promise<void> = Promise.resolve()
  #timer: ReturnType<typeof setTimeout> | undefined

  private constructor(context: Context, respond: Responder, notes: HttpsNotes) {
    const { config } = context
    this.#context = context
    this.#notes = notes
    this.#ports = httpsPorts(respond, config, () => publicUrl(context))
    this.#store = certificateStore(config.data)
    this.#own = config.tlsCert === null || config.tlsKey === null ? null : ownFiles(config.tlsCert, config.tlsKey)
  }

  /** Serves the stored certificate at once, then checks every few seconds. Starting doesn't wait for the authority. */
  static async start(context: Context, respond: Responder): Promise<HttpsKeeper> {
    const keeper = new HttpsKeeper(context, respond, await HttpsNotes.open(context))
    await keeper.#readSettings()
    if (keeper.#own !== null) await keeper.#lookOnce()
    else if (keeper.#domains.length > 0) await keeper.#serveStored()
    void keeper.#lookOnce().then(() => keeper.#lookLater())
    return keeper
  }

  certificate(): Certificate | null {
    return this.#certificate
  }

  url(): string | null {
    const port = this.#ports.securePort()
    const ownName = this.#certificate?.names.find((name) => /^[\w.-]+$/.test(name))
    const name = this.#own === null ? this.#domains[0] : ownName
    return port === null || name === undefined ? null : new URL(`https://${name}:${port}`).origin
  }

  async order(domains: readonly string[], email: string | null): Promise<HttpsProblem | null> {
    await this.#working
    const problem = await openPorts(this.#ports, null, this.#context.config)
    if (problem !== null) return problem
    const failed = await this.#order(domains, email)
    if (failed === null) this.#certificate = this.#store.read()
    return failed && httpsProblem(failed.type, failed.message, domains)
  }

  async refresh(): Promise<void> {
    this.#notes.tryNow()
    await this.#lookOnce()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#timer)
    await this.#working
    await this.#ports.stop()
  }

  /** Checks once, after the check that is under way. */
  #lookOnce(): Promise<void> {
    const { log } = this.#context
    this.#working = this.#working.then(() => this.#look()).catch((cause) => log.error("https not kept", cause))
    return this.#working
  }

  #lookLater(): void {
    if (this.#stopping.signal.aborted) return
    const { nextTryAt } = this.#notes.latest
    const dueAt = nextTryAt ?? (this.#certificate === null ? null : renewalMoment(this.#certificate, this.#spread))
    const ms = dueAt === null ? LOOK_MS : (dueAt - this.#context.clock()) / 1_000
    const look = () => void this.#lookOnce().then(() => this.#lookLater())
    this.#timer = setTimeout(look, Math.min(LOOK_MS, Math.max(LOOK_SOON_MS, ms)))
  }

  async #readSettings(): Promise<void> {
    const { domains, email } = await httpsInForce(this.#context)
    this.#domains = domains.value
    this.#email = email
  }

  async #look(): Promise<void> {
    await this.#readSettings()
    if (this.#own !== null) return this.#keepOwnFiles(this.#own)
    if (this.#domains.length > 0) return this.#keepAuthority()
    await this.#ports.stop()
    await this.#notes.clear()
  }

  /** The operator's files are served as they are, and read again when they change. */
  async #keepOwnFiles(files: OwnFiles): Promise<void> {
    try {
      this.#certificate = files.read()
    } catch (cause) {
      return this.#note(httpsProblem("file", (cause as Error).message, []))
    }
    const problem = await openPorts(this.#ports, this.#certificate, this.#context.config)
    // The plain port is only a convenience here.
    await this.#note(this.#ports.securePort() === null ? { ...problem } : NOTHING_TRIED)
  }

  /** Renews the authority's certificate in time, and serves the current one until then. */
  async #keepAuthority(): Promise<void> {
    const problem = (await this.#serveStored()) ?? this.#clockProblem()
    const { latest } = this.#notes
    if (!this.#isRenewalDue()) return this.#note({ ...NOTHING_TRIED, ...problem })
    if (!this.#ports.hasPlain()) return this.#note({ ...problem })
    if (isTryDue(latest, this.#context.clock())) await this.#renew(latest.failures)
  }

  #serveStored(): Promise<HttpsProblem | null> {
    this.#certificate ??= this.#store.read()
    return openPorts(this.#ports, this.#certificate, this.#context.config)
  }

  async #renew(failuresBefore: number): Promise<void> {
    const { clock, log } = this.#context
    const failed = (await this.#order(this.#domains, this.#email)) ?? this.#stillDue()
    if (this.#stopping.signal.aborted) return
    const triedAt = clock()
    if (failed === null) {
      const until = formatMoment(this.#certificate?.validUntil ?? 0)
      log.info("certificate issued", { domains: this.#domains.join(", "), until })
      const problem = (await this.#serveStored()) ?? this.#clockProblem()
      return this.#note({ ...NOTHING_TRIED, triedAt, ...problem })
    }
    const failures = failuresBefore + 1
    const nextTryAt = nextTry(failures, triedAt, failed.retryAfterSeconds, Math.random())
    await this.#note({ ...httpsProblem(failed.type, failed.message, this.#domains), failures, triedAt, nextTryAt })
  }

  #order(domains: readonly string[], email: string | null): Promise<AcmeProblem | null> {
    const { acmeDirectory: directory } = this.#context.config
    const [store, ports, stopping] = [this.#store, this.#ports, this.#stopping.signal]
    return order({ directory, store, ports, domains, email, stopping })
  }

  #isRenewalDue(): boolean {
    const certificate = this.#certificate
    if (certificate === null) return true
    const isInTime = this.#context.clock() < renewalMoment(certificate, this.#spread)
    return !isInTime || !this.#domains.every((domain) => certificate.names.includes(domain))
  }

  /** If a new certificate is already due for renewal, don't order another one right away. */
  #stillDue(): AcmeProblem | null {
    this.#certificate = this.#store.read()
    return this.#isRenewalDue() ? new AcmeProblem("clock", this.#misfit()) : null
  }

  /** If the clock is slow, renewal comes too late. The certificate is valid for everyone else, so it's still served. */
  #clockProblem(): HttpsProblem | null {
    const isBehind = this.#certificate !== null && this.#context.clock() < this.#certificate.validFrom
    return isBehind ? httpsProblem("clock", this.#misfit(), []) : null
  }

  #misfit(): string {
    return `The certificate isn't valid at the time on this machine's clock, ${formatMoment(this.#context.clock())}.`
  }

  #note(changes: Partial<HttpsNote>): Promise<void> {
    const validUntil = this.#certificate?.validUntil ?? null
    const names = this.#own === null ? this.#domains : (this.#certificate?.names ?? [])
    return this.#notes.change({ domains: names, url: this.url(), validUntil }, changes)
  }
}
