import type { Context, HttpsService } from "../../actions/context.ts"
import { publicUrl } from "../../actions/public-url.ts"
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
import { type Certificate, certificateStore, newKey, ownFiles } from "./certificate.ts"
import { httpsPorts, portProblem } from "./ports.ts"

const LOOK_MS = 5_000
const LOOK_SOON_MS = 1_000
const ORDER_MS_MAX = 180_000

export interface HttpsKeeper extends HttpsService {
  stop(): Promise<void>
}

/** Gets, renews and serves the certificate. What goes wrong is noted and tried again, and what works is served meanwhile. */
export async function keepHttps(context: Context, respond: Responder): Promise<HttpsKeeper> {
  const { config, clock, log } = context
  const { tlsCert, tlsKey, httpsPort, httpPort } = config
  const ports = httpsPorts(respond, config, () => publicUrl(context))
  const store = certificateStore(config.data)
  const own = tlsCert === null || tlsKey === null ? null : ownFiles(tlsCert, tlsKey)
  const stopping = new AbortController()
  // Drawn once, so that the moment of renewal doesn't move with every look.
  const spread = Math.random()
  let certificate: Certificate | null = null
  let domains: readonly string[] = []
  let email: string | null = null
  let note = await storedSetting(context.database.read, "note.https").catch(() => null)
  // A start tries at once: somebody may have put it right.
  if (note !== null) note = { ...note, problem: null, advice: "", nextTryAt: null }

  function url(): string | null {
    const port = ports.securePort()
    const name = own === null ? domains[0] : certificate?.names.find((name) => /^[\w.-]+$/.test(name))
    return port === null || name === undefined ? null : new URL(`https://${name}:${port}`).origin
  }

  /** Notes a change. A problem is logged once, however often it's found. */
  async function change(changes: Partial<HttpsNote>): Promise<void> {
    const before = note ?? { ...NOTHING_TRIED, domains, url: null, validUntil: null }
    const validUntil = certificate?.validUntil ?? null
    const next: HttpsNote = { ...before, domains, url: url(), validUntil, ...changes }
    if (next.problem !== null && next.problem !== before.problem) {
      const { problem, advice } = next
      const again = next.nextTryAt === null ? {} : { next_try: formatMoment(next.nextTryAt) }
      log.warn("https has a problem", { problem, advice, ...again })
    }
    const isNew = note === null || JSON.stringify(next) !== JSON.stringify(note)
    note = next
    if (isNew) await saveNote(context, "note.https", next)
  }

  /** Opens what can be opened. Returns what is in the way. */
  function openPorts(): HttpsProblem | null {
    try {
      if (certificate !== null) ports.use(certificate)
    } catch (cause) {
      return portProblem(cause, httpsPort)
    }
    try {
      ports.openPlain()
      return null
    } catch (cause) {
      return portProblem(cause, httpPort)
    }
  }

  async function serveOwnFiles(files: ReturnType<typeof ownFiles>): Promise<void> {
    try {
      certificate = files.read()
    } catch (cause) {
      return change(httpsProblem("file", (cause as Error).message, []))
    }
    const problem = openPorts()
    // The redirect is only a convenience here.
    const isServed = ports.securePort() !== null
    await change(isServed || problem === null ? NOTHING_TRIED : problem)
  }

  function isRenewalDue(): boolean {
    if (certificate === null) return true
    const { names } = certificate
    return clock() >= renewalMoment(certificate, spread) || !domains.every((domain) => names.includes(domain))
  }

  /** A clock that is behind would renew too late. Others see the certificate as valid, so it's served. */
  function clockProblem(): HttpsProblem | null {
    const isBehind = certificate !== null && clock() < certificate.validFrom
    return isBehind ? httpsProblem("clock", misfit(), []) : null
  }

  const misfit = () => `The certificate doesn't fit the clock of this machine, which says ${formatMoment(clock())}.`

  async function serveAuthority(): Promise<void> {
    certificate ??= store.read()
    const problem = openPorts() ?? clockProblem()
    const tried = note ?? NOTHING_TRIED
    if (!isRenewalDue()) return change({ ...NOTHING_TRIED, ...problem })
    if (!ports.hasPlain()) return change(problem ?? {})
    if (isTryDue(tried, clock())) await attempt(tried.failures)
  }

  async function attempt(failures: number): Promise<void> {
    const failed = (await orderFor(domains, email)) ?? stillDue()
    if (stopping.signal.aborted) return
    const triedAt = clock()
    if (failed === null) {
      log.info("certificate issued", { domains: domains.join(", "), until: formatMoment(certificate?.validUntil ?? 0) })
      return change({ ...NOTHING_TRIED, triedAt, ...(openPorts() ?? clockProblem()) })
    }
    const nextTryAt = nextTry(failures + 1, triedAt, failed.retryAfterSeconds, Math.random())
    const problem = httpsProblem(failed.type, failed.message, domains)
    await change({ ...problem, failures: failures + 1, triedAt, nextTryAt })
  }

  /** A certificate that would have to be renewed at once: ordering one after the other helps nobody. */
  function stillDue(): AcmeProblem | null {
    certificate = store.read()
    return isRenewalDue() ? new AcmeProblem("clock", misfit()) : null
  }

  async function orderFor(wanted: readonly string[], email: string | null): Promise<AcmeProblem | null> {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(ORDER_MS_MAX)])
    try {
      const [accountKey, key] = [await store.accountKey(), await newKey()]
      const { publish } = ports
      const order = { directory: config.acmeDirectory, accountKey, email, domains: wanted, key, publish }
      await store.write(key, await orderCertificate(order, signal))
      return null
    } catch (cause) {
      return cause instanceof AcmeProblem ? cause : new AcmeProblem("unknown", (cause as Error).message)
    } finally {
      ports.unpublish()
    }
  }

  async function look(): Promise<void> {
    const inForce = await httpsInForce(context)
    const isChanged = inForce.domains.value.join() !== domains.join()
    domains = inForce.domains.value
    email = inForce.email
    if (own !== null) return serveOwnFiles(own)
    if (domains.length > 0) {
      if (isChanged && note?.domains.join() !== domains.join()) note = null
      return serveAuthority()
    }
    if (note !== null) await saveNote(context, "note.https", null)
    note = null
  }

  let working: Promise<void> = Promise.resolve()
  let timer: ReturnType<typeof setTimeout> | undefined

  /** Looks once, after what is under way. */
  function lookNow(): Promise<void> {
    working = working.then(look).catch((cause) => log.error("https not kept", cause))
    return working
  }

  function lookLater(): void {
    if (stopping.signal.aborted) return
    const dueAt = note?.nextTryAt ?? (certificate === null ? null : renewalMoment(certificate, spread))
    const ms = dueAt === null ? LOOK_MS : (dueAt - clock()) / 1_000
    timer = setTimeout(() => void lookNow().then(lookLater), Math.min(LOOK_MS, Math.max(LOOK_SOON_MS, ms)))
  }

  // What is stored is served at once. The authority isn't waited for.
  if (own === null && (await httpsInForce(context)).domains.value.length > 0) {
    domains = (await httpsInForce(context)).domains.value
    certificate = store.read()
    openPorts()
  }
  const first = lookNow().then(lookLater)
  if (own !== null) await first

  return {
    certificate: () => certificate,
    url,
    async order(wanted, email) {
      await working
      const problem = openPorts()
      if (!ports.hasPlain()) return problem
      const failed = await orderFor(wanted, email)
      if (failed === null) certificate = store.read()
      return failed && httpsProblem(failed.type, failed.message, wanted)
    },
    async refresh() {
      if (note !== null) note = { ...note, nextTryAt: null }
      await lookNow()
    },
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await working
      await ports.stop()
    },
  }
}
