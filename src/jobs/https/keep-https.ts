import { lookup } from "node:dns/promises"
import { statSync } from "node:fs"
import { httpsChoice, httpsNote, noteHttps } from "../../actions/operations/services.ts"
import type { HttpsNote, HttpsProblem, HttpsService } from "../../domain/operations/https.ts"
import { httpsProblem, isTryDue, NOTHING_TRIED, nextTry, renewalMoment } from "../../domain/operations/https.ts"
import { formatMoment, type Moment } from "../../domain/time/moment.ts"
import { messageOf } from "../../domain/user-error.ts"
import { inWords } from "../../files/read-text.ts"
import type { Deps } from "../../server/deps.ts"
import { singleRun } from "../single-run.ts"
import { AcmeProblem, orderCertificate } from "./acme.ts"
import { certificateFiles, newKey, pemOf, readOwnFiles, type ServedCertificate } from "./certificate-files.ts"
import type { HttpsPorts } from "./https-ports.ts"

const TICK_MS = 20_000
const ORDER_MS_MAX = 180_000

export interface Https extends HttpsService, AsyncDisposable {
  readonly ports: HttpsPorts
}

/** Gets, renews and serves the certificate. What goes wrong is noted and tried again; what works goes on being served. */
export async function keepHttps(parts: Deps, ports: HttpsPorts): Promise<Https> {
  const { config, clock, log, random } = parts
  const files = certificateFiles(config.data)
  const stopping = new AbortController()
  const chance = () => (random(1)[0] ?? 0) / 255
  // Drawn once, so that the moment of renewal does not move with every look.
  const spread = chance()
  const isOn = config.tlsCert !== null || config.domain.length > 0
  let note = isOn ? await lastNote(parts) : null
  let certificate: ServedCertificate | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let filesReadAt: number | null = null

  async function setNote(change: Partial<HttpsNote>): Promise<void> {
    if (note === null) return
    const next = { ...note, validUntil: certificate?.validUntil ?? null, ...change }
    if (JSON.stringify(next) === JSON.stringify(note)) return
    if (next.problem !== null && next.problem !== note.problem) {
      const again = next.nextTryAt === null ? {} : { next_try: formatMoment(next.nextTryAt) }
      log.warn("https has a problem", { problem: next.problem, advice: next.advice, ...again })
    }
    note = next
    await noteHttps(parts, next).catch((cause) => log.warn("https not noted", { cause: messageOf(cause) }))
  }

  /** Opens what can be opened. */
  function openPorts(): HttpsProblem | null {
    try {
      if (certificate !== null) ports.use(certificate)
      ports.openPlain()
      return null
    } catch (cause) {
      return portProblem(cause, certificate !== null && ports.securePort === null ? config.httpsPort : config.httpPort)
    }
  }

  async function order(domains: readonly string[], email: string | null): Promise<AcmeProblem | null> {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(ORDER_MS_MAX)])
    try {
      const [accountKey, key] = [await files.accountKey(), await newKey()]
      const { publish } = ports
      const asked = { directory: config.acmeDirectory, accountKey, email, names: domains, key, publish }
      files.write(await pemOf(key), await orderCertificate(asked, signal))
      return null
    } catch (cause) {
      return cause instanceof AcmeProblem ? cause : new AcmeProblem("unknown", messageOf(cause))
    } finally {
      ports.unpublish()
    }
  }

  async function attempt({ failures, domains }: HttpsNote): Promise<void> {
    const failed = (await order(domains, (await httpsChoice(parts.store))?.email ?? null)) ?? stillDue()
    if (stopping.signal.aborted) return
    const triedAt = clock()
    if (failed === null) {
      log.info("certificate issued", { names: domains.join(", "), until: formatMoment(certificate?.validUntil ?? 0) })
      return setNote({ ...NOTHING_TRIED, triedAt, ...(openPorts() ?? clockProblem() ?? {}) })
    }
    const nextTryAt = nextTry(failures + 1, triedAt, failed.retryAfterSeconds, chance())
    const told = httpsProblem(failed.type, failed.message, domains)
    await setNote({ ...told, failures: failures + 1, triedAt, nextTryAt })
  }

  /** A certificate that would have to be renewed at once: ordering one after the other helps nobody. */
  function stillDue(): AcmeProblem | null {
    certificate = files.read()
    return isRenewalDue(clock()) ? new AcmeProblem("clock", misfit()) : null
  }

  /** A clock that is behind would renew too late. Others see the certificate as valid, so it is served. */
  function clockProblem(): HttpsProblem | null {
    const isAhead = certificate !== null && clock() < certificate.validFrom
    return isAhead ? httpsProblem("clock", misfit(), []) : null
  }

  const misfit = () => `The certificate does not fit this machine's clock, which says ${formatMoment(clock())}.`

  function isRenewalDue(now: Moment): boolean {
    if (certificate === null || !config.domain.every((name) => certificate?.names.includes(name))) return true
    return now >= renewalMoment(certificate, spread)
  }

  async function keepOwn(): Promise<void> {
    certificate ??= files.read()
    const problem = openPorts() ?? clockProblem()
    if (note === null) return
    if (problem !== null && ports.plainPort === null && isRenewalDue(clock())) return setNote(problem)
    if (isRenewalDue(clock()) && isTryDue(note, clock())) await attempt(note)
    else if (note.failures === 0) await setNote(problem ?? { problem: null, advice: "" })
  }

  /** Serves from the operator's own files, and again when they were replaced. */
  async function keepFiles(cert: string, key: string): Promise<void> {
    try {
      const changedAt = Math.max(...[cert, key].map((file) => inWords(file, () => statSync(file).mtimeMs)))
      if (changedAt !== filesReadAt) certificate = readOwnFiles(cert, key)
      filesReadAt = changedAt
      ports.use(certificate as ServedCertificate)
    } catch (cause) {
      const isPort = certificate !== null && filesReadAt !== null && ports.securePort === null
      return setNote(isPort ? portProblem(cause, config.httpsPort) : httpsProblem("file", messageOf(cause), []))
    }
    // Only a convenience here: nobody's check depends on it.
    openPorts()
    await setNote({ problem: null, advice: "", domains: [...(certificate?.names ?? [])] })
  }

  const { tlsCert, tlsKey } = config
  const work = singleRun(
    () => (tlsCert !== null && tlsKey !== null ? keepFiles(tlsCert, tlsKey) : keepOwn()),
    (cause) => log.error("https not looked after", cause),
  )

  function schedule(): void {
    if (stopping.signal.aborted) return
    const dueAt = note?.nextTryAt ?? (certificate === null ? null : renewalMoment(certificate, spread))
    const untilDue = dueAt === null ? TICK_MS : (dueAt - clock()) / 1_000
    timer = setTimeout(() => void work.start().finally(schedule), Math.min(TICK_MS, Math.max(1_000, untilDue)))
  }

  if (isOn) {
    // What is there is served before anybody is told where; only the authority is not waited for.
    if (tlsCert === null) {
      certificate = files.read()
      openPorts()
    } else await work.start()
    void work.start().finally(schedule)
  }
  // What an earlier start noted is over.
  else await noteHttps(parts, null).catch(() => undefined)
  return {
    ports,
    get certificate() {
      return certificate
    },
    get note() {
      return note
    },
    async withoutAddress(domains) {
      for (const domain of domains) if (!(await lookup(domain).catch(() => null))) return domain
      return null
    },
    async order(domains, email) {
      const problem = openPorts()
      if (problem !== null && ports.plainPort === null) return problem
      const failed = await order(domains, email)
      return failed && httpsProblem(failed.type, failed.message, domains)
    },
    async tryAgain() {
      await work.running()
      if (note !== null) note = { ...note, nextTryAt: null }
      await work.start()
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      clearTimeout(timer)
      await work.running()
    },
  }
}

/** What was noted before, if it is about the same names. A start tries again at once: somebody may have put it right. */
async function lastNote({ store, config }: Deps): Promise<HttpsNote> {
  const before = await httpsNote(store).catch(() => null)
  const domains = [...config.domain]
  return before?.domains.join() === domains.join()
    ? { ...before, problem: null, advice: "", nextTryAt: null }
    : { ...NOTHING_TRIED, domains, validUntil: null }
}

function portProblem(cause: unknown, port: number): HttpsProblem {
  const { code } = ((cause as Error).cause ?? {}) as { readonly code?: string }
  if (code === "EADDRINUSE") return httpsProblem("port_in_use", `Port ${port} is in use by another program.`, [])
  if (code === "EACCES") return httpsProblem("port_forbidden", `This user is not allowed to use port ${port}.`, [])
  return httpsProblem("unknown", `Port ${port} cannot be opened: ${messageOf(cause)}`, [])
}
