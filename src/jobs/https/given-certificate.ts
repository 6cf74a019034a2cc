import { statSync } from "node:fs"
import type { Config } from "../../config.ts"
import { httpsProblem } from "../../domain/operations/https.ts"
import { messageOf } from "../../domain/user-error.ts"
import { inWords } from "../../files/read-text.ts"
import { readOwnFiles, type ServedCertificate } from "./certificate-files.ts"
import type { CertificateSource } from "./certificate-source.ts"
import type { HttpsNotes } from "./https-notes.ts"
import { type HttpsPorts, openPorts, portProblem } from "./https-ports.ts"

/** The operator's own files. They are read again when they were replaced. */
export class GivenCertificate implements CertificateSource {
  readonly #files: readonly [cert: string, key: string]
  readonly #config: Config
  readonly #ports: HttpsPorts
  readonly #notes: HttpsNotes
  #readAt: number | null = null
  readonly dueAt = null
  certificate: ServedCertificate | null = null

  constructor(files: readonly [cert: string, key: string], config: Config, ports: HttpsPorts, notes: HttpsNotes) {
    this.#files = files
    this.#config = config
    this.#ports = ports
    this.#notes = notes
  }

  begin(): Promise<void> {
    return this.keep()
  }

  async keep(): Promise<void> {
    try {
      this.#ports.use(this.#read())
    } catch (cause) {
      const isPort = this.certificate !== null && this.#readAt !== null && this.#ports.securePort === null
      const problem = isPort ? portProblem(cause, this.#config.httpsPort) : httpsProblem("file", messageOf(cause), [])
      const isServed = this.#ports.securePort !== null
      return this.#notes.change({ validUntil: this.certificate?.validUntil ?? null, isServed, ...problem })
    }
    // Only a convenience here: nobody's check depends on it.
    openPorts(this.#ports, this.certificate, this.#config)
    const { names = [], validUntil = null } = this.certificate ?? {}
    await this.#notes.change({ validUntil, isServed: true, problem: null, advice: "", domains: [...names] })
  }

  #read(): ServedCertificate {
    const changedAt = Math.max(...this.#files.map((file) => inWords(file, () => statSync(file).mtimeMs)))
    if (this.certificate === null || changedAt !== this.#readAt) this.certificate = readOwnFiles(...this.#files)
    this.#readAt = changedAt
    return this.certificate
  }
}
