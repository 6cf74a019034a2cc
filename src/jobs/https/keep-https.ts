import { lookup } from "node:dns/promises"
import { noteHttps } from "../../actions/operations/services.ts"
import { type HttpsService, httpsProblem } from "../../domain/operations/https.ts"
import type { JobContext } from "../job-context.ts"
import { singleRun } from "../single-run.ts"
import { certificateFiles } from "./certificate-files.ts"
import { order } from "./certificate-order.ts"
import type { CertificateSource } from "./certificate-source.ts"
import { GivenCertificate } from "./given-certificate.ts"
import { HttpsNotes } from "./https-notes.ts"
import { type HttpsPorts, openPorts } from "./https-ports.ts"
import { OwnCertificate } from "./own-certificate.ts"

export interface Https extends HttpsService, AsyncDisposable {
  readonly ports: HttpsPorts
}

/** Gets, renews and serves the certificate. What goes wrong is noted and tried again; what works goes on being served. */
export async function keepHttps(parts: JobContext, ports: HttpsPorts): Promise<Https> {
  const { config } = parts
  const stopping = new AbortController()
  const isOn = config.tlsCert !== null || config.domain.length > 0
  const notes = isOn ? await HttpsNotes.goOn(parts) : null
  const source = notes && sourceOf(parts, ports, notes, stopping.signal)
  const looks = notes && source && (await lookEvery(parts, source, notes))
  // What an earlier start noted is over.
  if (notes === null) await noteHttps(parts, null).catch(() => undefined)
  return {
    ports,
    get certificate() {
      return source?.certificate ?? null
    },
    get note() {
      return notes?.latest ?? null
    },
    async withoutAddress(domains) {
      for (const domain of domains) if (!(await lookup(domain).catch(() => null))) return domain
      return null
    },
    async order(domains, email) {
      const problem = openPorts(ports, source?.certificate ?? null, config)
      if (problem !== null && ports.plainPort === null) return problem
      const asked = { files: certificateFiles(config.data), ports, domains, email, stopping: stopping.signal }
      const failed = await order(config, asked)
      return failed && httpsProblem(failed.type, failed.message, domains)
    },
    async tryAgain() {
      await looks?.now()
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await looks?.end()
    },
  }
}

function sourceOf(parts: JobContext, ports: HttpsPorts, notes: HttpsNotes, stopping: AbortSignal): CertificateSource {
  const { tlsCert, tlsKey } = parts.config
  return tlsCert !== null && tlsKey !== null
    ? new GivenCertificate([tlsCert, tlsKey], parts.config, ports, notes)
    : new OwnCertificate(parts, ports, notes, stopping)
}

const TICK_MS = 20_000
const SOON_MS = 1_000

/** What is there is served before anybody is told where. Then somebody looks every few seconds, sooner where something is due. */
async function lookEvery({ clock, log }: JobContext, source: CertificateSource, notes: HttpsNotes) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const work = singleRun(
    () => source.keep(),
    (cause) => log.error("https not looked after", cause),
  )

  function schedule(): void {
    if (isOver) return
    const dueAt = notes.latest.nextTryAt ?? source.dueAt
    const untilDue = dueAt === null ? TICK_MS : (dueAt - clock()) / 1_000
    timer = setTimeout(() => void work.start().finally(schedule), Math.min(TICK_MS, Math.max(SOON_MS, untilDue)))
  }

  await source.begin()
  void work.start().finally(schedule)
  return {
    async now(): Promise<void> {
      await work.running()
      notes.tryNow()
      await work.start()
    },
    async end(): Promise<void> {
      isOver = true
      clearTimeout(timer)
      await work.running()
    },
  }
}
