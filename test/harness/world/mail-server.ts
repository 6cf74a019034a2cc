import { SMTPServer } from "smtp-server"

export type { MailSettings } from "../../../src/domain/operations/mail.ts"

/** A letter as a mail server got it. */
export interface ReceivedLetter {
  readonly from: string
  readonly to: readonly string[]
  /** Headers and text. */
  readonly source: string
}

export interface MailServer extends AsyncDisposable {
  readonly port: number
  readonly letters: readonly ReceivedLetter[]
}

interface MailServerOptions {
  /** Takes only this user, with this password. */
  readonly user?: string
  readonly password?: string
  /** Refuses letters to this address. */
  readonly refuses?: string
  /** Accepts connections, and never says a word. */
  readonly isSilent?: boolean
}

/** A real mail server in this process, without encryption unless a test needs a password. */
export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  if (options.isSilent) return startSilentServer()
  const letters: ReceivedLetter[] = []
  const server = new SMTPServer({
    authOptional: options.user === undefined,
    disabledCommands: options.user === undefined ? ["AUTH", "STARTTLS"] : [],
    onAuth({ username, password }, _session, done) {
      const isRight = username === options.user && password === options.password
      done(isRight ? null : new Error("535 Wrong user or password"), { user: username })
    },
    onRcptTo({ address }, _session, done) {
      done(address === options.refuses ? new Error("550 No such mailbox") : undefined)
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", () => {
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address
        const to = envelope.rcptTo.map(({ address }) => address)
        letters.push({ from, to, source: Buffer.concat(chunks).toString() })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.server.address() as { readonly port: number }
  return {
    port,
    letters,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function startSilentServer(): Promise<MailServer> {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } })
  return { port: listener.port, letters: [], [Symbol.asyncDispose]: async () => listener.stop(true) }
}
