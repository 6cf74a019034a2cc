import { describe, expect, test } from "bun:test"
import { createServer, type Socket } from "node:net"
import type { OutgoingAlert } from "../../../src/actions/alerts/send-alerts.ts"
import type { Alert } from "../../../src/domain/alerts/alert.ts"
import { contentOf } from "../../../src/domain/alerts/alert-content.ts"
import { InvalidSetting, readSmtpUrl } from "../../../src/domain/operations/service-settings.ts"
import { type EmailSettings, emailChannel } from "../../../src/jobs/alerts/channels.ts"
import { mailServer, selfSigned } from "./mail-server.ts"

const TLS = selfSigned()

const alert: Alert = {
  kind: "feed_silent",
  subject: "k",
  title: 'The feed "Nächtlich" of Acme\r\nBcc: x@example.com is silent',
  detail: "Nothing has come for 2 days.",
  path: "/app/o/acme/feed-activity?key=k",
  beganAt: 0,
  endedAt: null,
}
const message: OutgoingAlert = {
  id: "3f0c",
  at: 0,
  content: contentOf({ began: [alert], ended: [] }),
  origin: "https://ads.example.com",
}

function channelTo(url: string, wishes: Partial<EmailSettings> = {}) {
  const server = readSmtpUrl(url)
  if (server instanceof InvalidSetting) throw new Error(server.sentence)
  return emailChannel({ server, to: ["ops@example.com", "sales@example.com"], from: null, ca: TLS.cert, ...wishes })
}

/** A server that says the given lines, one for each that it hears, and then falls silent or hangs up. */
async function scripted(lines: readonly string[], end: "silent" | "hang up") {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let next = 0
    const say = () => {
      const line = lines[next++]
      if (line !== undefined) socket.write(`${line}\r\n`)
      else if (end === "hang up") socket.destroy()
    }
    socket.on("error", () => undefined)
    socket.on("data", say)
    say()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as { port: number }
  return {
    port,
    /** Resolves once no connection is left; one that was given up before it was accepted is none. */
    empty: () => new Promise<void>((resolve) => server.close(() => resolve())),
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

describe("alerts by email", () => {
  test("arrive over STARTTLS with a login, in plain words and with a link", async () => {
    await using server = await mailServer({
      ...TLS,
      onAuth: ({ username, password }, _, done) =>
        password === "s3cret/@" ? done(null, { user: username }) : done(new Error("wrong password")),
    })
    const channel = channelTo(`smtp://adbooth%40example.com:s3cret%2F%40@localhost:${server.port}`)
    expect(channel.target).toBe(`ops@example.com, sales@example.com through localhost:${server.port}`)
    await channel.send(message)
    const [mail] = server.received
    expect(mail).toMatchObject({
      from: "adbooth@example.com",
      to: ["ops@example.com", "sales@example.com"],
      user: "adbooth@example.com",
      isEncrypted: true,
    })
    expect(mail?.text).toContain(
      "Nothing has come for 2 days.\r\nhttps://ads.example.com/app/o/acme/feed-activity?key=3Dk",
    )
    expect(mail?.text).toContain("Message-ID: <3f0c@example.com>")
    expect(mail?.text).toContain("Auto-Submitted: auto-generated")
    // A name cannot add a header.
    expect(mail?.text.split("\r\n\r\n")[0]).not.toMatch(/^Bcc:/m)
  })

  test("arrive over TLS from the first byte, and without encryption only where the settings say so", async () => {
    await using tls = await mailServer({ ...TLS, secure: true })
    await channelTo(`smtps://localhost:${tls.port}`, { from: "adbooth@example.com" }).send(message)
    expect(tls.received).toMatchObject([{ from: "adbooth@example.com", isEncrypted: true }])
    await using plain = await mailServer({ disabledCommands: ["STARTTLS"] })
    await channelTo(`smtp://localhost:${plain.port}?tls=no`).send(message)
    expect(plain.received).toMatchObject([{ from: "ops@example.com", isEncrypted: false }])
  })

  test("are not sent unencrypted to a server that offers no encryption", async () => {
    await using server = await mailServer({ disabledCommands: ["STARTTLS"] })
    await expect(channelTo(`smtp://localhost:${server.port}`).send(message)).rejects.toThrow("STARTTLS")
    expect(server.received).toEqual([])
  })

  test("are not sent to a server that nobody vouches for", async () => {
    await using server = await mailServer(TLS)
    const stranger = selfSigned().cert
    await expect(channelTo(`smtp://localhost:${server.port}`, { ca: stranger }).send(message)).rejects.toThrow(
      /self.signed/i,
    )
    expect(server.received).toEqual([])
  })

  test("say why they were refused, without the password", async () => {
    await using server = await mailServer({ ...TLS, onAuth: (_, __, done) => done(new Error("no such user")) })
    const refused = channelTo(`smtp://me:hunter2hunter2@localhost:${server.port}`).send(message)
    await expect(refused).rejects.toThrow("no such user")
    expect(String(await refused.catch(String))).not.toContain("hunter2")
    await using strict = await mailServer({
      ...TLS,
      onRcptTo: ({ address }, _, done) => (address.startsWith("ops") ? done() : done(new Error("unknown mailbox"))),
    })
    const partly = await channelTo(`smtp://localhost:${strict.port}`).send(message)
    expect(partly).toBe("The mail server refused sales@example.com.")
    expect(strict.received).toMatchObject([{ to: ["ops@example.com"] }])
  })

  test.each([
    ["never greets", [], "silent"],
    ["falls silent after the sender", ["220 hi", "250 hello", "250 ok"], "silent"],
    ["hangs up in the middle", ["220 hi", "250 hello", "250 ok"], "hang up"],
    ["hangs up at the text", ["220 hi", "250 hello", "250 ok", "250 ok", "250 ok", "354 go on"], "hang up"],
    ["speaks another language", ["HTTP/1.1 400 Bad Request"], "silent"],
    ["is too busy", ["421 come back later"], "hang up"],
  ] as const)("fail soon when the server %s, and leave no connection behind", async (_, lines, end) => {
    using server = await scripted(lines, end)
    const channel = channelTo(`smtp://127.0.0.1:${server.port}?tls=no`, { timeoutMs: 300 })
    await expect(channel.send(message)).rejects.toThrow()
    await server.empty()
  })

  test("fail where nobody listens, and stop when the server stops", async () => {
    using server = await scripted([], "silent")
    const { port } = server
    const stop = new AbortController()
    const sending = channelTo(`smtp://127.0.0.1:${port}?tls=no`).send(message, stop.signal)
    stop.abort()
    await expect(sending).rejects.toThrow("The server was stopped.")
    server[Symbol.dispose]()
    await expect(channelTo(`smtp://127.0.0.1:${port}?tls=no`).send(message)).rejects.toThrow("ECONNREFUSED")
  })
})
