import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"
import { temporaryFolder } from "../../harness.ts"

export interface Received {
  readonly from: string
  readonly to: readonly string[]
  readonly user: string | undefined
  readonly isEncrypted: boolean
  readonly text: string
}

/** A certificate for localhost that is its own authority. */
export function selfSigned(days = 30): { readonly cert: string; readonly key: string } {
  using folder = temporaryFolder()
  const [cert, key] = [join(folder.path, "cert.pem"), join(folder.path, "key.pem")]
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,DNS:hooks.example.com"]
  const made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
  execFileSync("openssl", [...made, "-keyout", key, "-out", cert, "-days", String(days), ...names], { stdio: "ignore" })
  return { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") }
}

/** A real mail server on a free port, which keeps what it receives. */
export async function mailServer(options: SMTPServerOptions = {}) {
  const received: Received[] = []
  const waiting: { readonly count: number; readonly tell: () => void }[] = []
  const server = new SMTPServer({
    authOptional: true,
    ...options,
    onData(stream, session, done) {
      let text = ""
      stream.on("data", (chunk: Buffer) => {
        text += chunk
      })
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          user: session.user as string | undefined,
          isEncrypted: session.secure,
          text,
        })
        for (const { count, tell } of waiting) if (received.length >= count) tell()
        done()
      })
    },
  })
  server.on("error", () => undefined)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.server.address() as { port: number }
  return {
    port,
    received,
    /** When so many have arrived. */
    arrived: (count: number) =>
      new Promise<void>((tell) => (received.length >= count ? tell() : waiting.push({ count, tell }))),
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => server.close(resolve))
    },
  }
}
