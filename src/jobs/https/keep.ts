import type { Context } from "../../actions/context.ts"
import { publicUrl } from "../../actions/mail.ts"
import { httpsInForce, saveNote, storedSetting } from "../../actions/settings.ts"
import type { ServiceProblem } from "../../domain/errors.ts"
import {
  type HttpsNote,
  httpsProblem,
  isTryDue,
  NOTHING_TRIED,
  nextTry,
  renewalMoment,
} from "../../domain/operations/https.ts"
import { formatMoment } from "../../domain/time/moment.ts"
import type { Responder } from "../../http/server.ts"
import { AcmeProblem, orderCertificate } from "./acme.ts"
import { type Certificate, certificateStore, newKey, type OwnFiles, ownFiles } from "./certificate.ts"
import { httpsPorts, openPorts } from "./front.ts"

const ORDER_MS_MAX = 180_000
const LOOK_MS = 5_000
const LOOK_SOON_MS = 1_000

export type HttpsKeeper = Awaited<ReturnType<typeof keepHttps>>

/**
 * Gets, renews and serves the certificate. Failures are saved and tried again, and the last good certificate is served
 * meanwhile. The stored certificate is served at once, and then it's checked every few seconds: starting doesn't wait
 * for the authority.
 */
export async function keepHttps(context: Context, respond: Responder) {
  const { config, clock, log } = context
  const ports = httpsPorts(respond, config, () => publicUrl(context))
  const store = certificateStore(config.data)
  // Null if the authority's certificate is used.
  const own = config.tlsCert === null || config.tlsKey === null ? null : ownFiles(config.tlsCert, config.tlsKey)
  const stopping = new AbortController()
  // Drawn once, so that the moment of renewal doesn't change with every check.
  const spread = Math.random()
  const stored = await storedSetting(context.database.read, "note.https")
  // It continues from the note of an earlier start, but tries at once, because the problem may be fixed by now.
  let note: HttpsNote | null = stored && { ...stored, problem: null, advice: "", nextTryAt: null }
  let certificate: Certificate | null = null
  let domains: readonly string[] = []
  let email: string | null = null
  let working: Promise<void> = Promise.resolve()
  let timer: ReturnType<typeof setTimeout> | undefined

  function url(): string | null {
    const port = ports.securePort()
    const ownName = certificate?.names.find((name) => /^[\w.-]+$/.test(name))
    const name = own === null ? domains[0] : ownName
    return port === null || name === undefined ? null : new URL(`https://${name}:${port}`).origin
  }

  /** Notes how it's going. A problem is logged once, however often it's found. */
  async function save(changes: Partial<HttpsNote>): Promise<void> {
    const names = own === null ? domains : (certificate?.names ?? [])
    const facts = { domains: names, url: url(), validUntil: certificate?.validUntil ?? null }
    // Attempts for other domains no longer matter.
    const isSame = note?.domains.join() === names.join()
    const next: HttpsNote = { ...NOTHING_TRIED, ...(isSame && note), ...facts, ...changes }
    if (JSON.stringify(next) === JSON.stringify(note)) return
    const { problem, advice, nextTryAt } = next
    if (problem !== null && problem !== note?.problem) {
      const again = nextTryAt === null ? {} : { next_try: formatMoment(nextTryAt) }
      log.warn("https has a problem", { problem, advice, ...again })
    }
    note = next
    await saveNote(context, "note.https", next)
  }

  /** Looks once, after what is under way. */
  function lookOnce(): Promise<void> {
    working = working.then(look).catch((cause) => log.error("https not kept", cause))
    return working
  }

  function lookLater(): void {
    if (stopping.signal.aborted) return
    const dueAt = note?.nextTryAt ?? (certificate === null ? null : renewalMoment(certificate, spread))
    const ms = dueAt === null ? LOOK_MS : (dueAt - clock()) / 1_000
    timer = setTimeout(() => void lookOnce().then(lookLater), Math.min(LOOK_MS, Math.max(LOOK_SOON_MS, ms)))
  }

  async function readSettings(): Promise<void> {
    const inForce = await httpsInForce(context)
    domains = inForce.domains.value
    email = inForce.email
  }

  async function look(): Promise<void> {
    await readSettings()
    if (own !== null) return keepOwnFiles(own)
    if (domains.length > 0) return keepAuthority()
    await ports.stop()
    if (note !== null) await saveNote(context, "note.https", null)
    note = null
  }

  /** The operator's files are served as they are, and read again when they change. */
  async function keepOwnFiles(files: OwnFiles): Promise<void> {
    try {
      certificate = files.read()
    } catch (cause) {
      return save(httpsProblem("file", (cause as Error).message, []))
    }
    const problem = await openPorts(ports, certificate, config)
    // The plain port is only a convenience here.
    await save(ports.securePort() === null ? { ...problem } : NOTHING_TRIED)
  }

  /** Renews the authority's certificate in time, and serves the current one until then. */
  async function keepAuthority(): Promise<void> {
    const problem = (await serveStored()) ?? clockProblem()
    if (!isRenewalDue()) return save({ ...NOTHING_TRIED, ...problem })
    if (!ports.hasPlain()) return save({ ...problem })
    if (isTryDue(note ?? NOTHING_TRIED, clock())) await renew(note?.failures ?? 0)
  }

  function serveStored(): Promise<ServiceProblem | null> {
    certificate ??= store.read()
    return openPorts(ports, certificate, config)
  }

  async function renew(failuresBefore: number): Promise<void> {
    const failed = (await order(domains, email)) ?? stillDue()
    if (stopping.signal.aborted) return
    const triedAt = clock()
    if (failed === null) {
      log.info("certificate issued", { domains: domains.join(", "), until: formatMoment(certificate?.validUntil ?? 0) })
      const problem = (await serveStored()) ?? clockProblem()
      return save({ ...NOTHING_TRIED, triedAt, ...problem })
    }
    const failures = failuresBefore + 1
    const nextTryAt = nextTry(failures, triedAt, failed.retryAfterSeconds, Math.random())
    await save({ ...httpsProblem(failed.type, failed.message, domains), failures, triedAt, nextTryAt })
  }

  /** Gets a certificate from the authority and stores it. Returns what went wrong, or null. */
  async function order(domains: readonly string[], email: string | null): Promise<AcmeProblem | null> {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(ORDER_MS_MAX)])
    try {
      const [accountKey, key] = [await store.accountKey(), await newKey()]
      const wanted = { directory: config.acmeDirectory, accountKey, email, domains, key, publish: ports.publish }
      await store.write(key, await orderCertificate(wanted, signal))
      return null
    } catch (cause) {
      return cause instanceof AcmeProblem ? cause : new AcmeProblem("unknown", (cause as Error).message)
    } finally {
      ports.unpublish()
    }
  }

  function isRenewalDue(): boolean {
    if (certificate === null || clock() >= renewalMoment(certificate, spread)) return true
    const { names } = certificate
    return !domains.every((domain) => names.includes(domain))
  }

  /** If a new certificate is already due for renewal, don't order another one right away. */
  function stillDue(): AcmeProblem | null {
    certificate = store.read()
    return isRenewalDue() ? new AcmeProblem("clock", misfit()) : null
  }

  /** If the clock is slow, renewal comes too late. The certificate is valid for everyone else, so it's still served. */
  function clockProblem(): ServiceProblem | null {
    const isBehind = certificate !== null && clock() < certificate.validFrom
    return isBehind ? httpsProblem("clock", misfit(), []) : null
  }

  const misfit = () => `The certificate isn't valid at the time on this machine's clock, ${formatMoment(clock())}.`

  await readSettings()
  if (own !== null) await lookOnce()
  else if (domains.length > 0) await serveStored()
  void lookOnce().then(lookLater)

  return {
    certificate: () => certificate,
    url,
    async order(domains: readonly string[], email: string | null): Promise<ServiceProblem | null> {
      await working
      const problem = await openPorts(ports, null, config)
      if (problem !== null) return problem
      const failed = await order(domains, email)
      if (failed === null) certificate = store.read()
      return failed && httpsProblem(failed.type, failed.message, domains)
    },
    /** Reads what was chosen in the app. The next attempt needn't wait. */
    async refresh(): Promise<void> {
      if (note !== null) note = { ...note, nextTryAt: null }
      await lookOnce()
    },
    async stop(): Promise<void> {
      stopping.abort()
      clearTimeout(timer)
      await working
      await ports.stop()
    },
  }
}
