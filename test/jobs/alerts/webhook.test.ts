import { describe, expect, test } from "bun:test"
import { createServer } from "node:net"
import { Webhook } from "standardwebhooks"
import type { OutgoingAlert } from "../../../src/actions/alerts/send-alerts.ts"
import { contentOf } from "../../../src/domain/alerts/alert-content.ts"
import { parseCidr } from "../../../src/domain/callers/client-address.ts"
import { type WebhookSettings, webhookChannel } from "../../../src/jobs/alerts/channels.ts"
import type { Resolve } from "../../../src/jobs/alerts/network.ts"
import { movableClock, nextTurn } from "../../clock.ts"
import { runSnippet, snippets } from "../../docs-snippets.ts"
import { selfSigned } from "./mail-server.ts"
import { receiver } from "./receiver.ts"

const SECRET = `whsec_${Buffer.from("a secret of some length, with ü").toString("base64")}`
const LOOPBACK = [parseCidr("127.0.0.0/8"), parseCidr("::1")].filter((block) => block !== undefined)
const clock = movableClock("2026-11-15T12:00:00Z")

const message: OutgoingAlert = {
  id: "9b2e",
  at: clock(),
  content: contentOf({
    began: [
      {
        kind: "disk_low",
        subject: "",
        title: "Disk space is low",
        detail: "7 MB",
        path: "/x",
        beganAt: 1,
        endedAt: null,
      },
    ],
    ended: [
      {
        kind: "backup_failed",
        subject: "",
        title: "The last backup failed",
        detail: "",
        path: "/y",
        beganAt: 1,
        endedAt: 2,
      },
    ],
  }),
  origin: "https://ads.example.com",
}

function channelTo(url: string, wishes: Partial<WebhookSettings> = {}) {
  return webhookChannel({ url, secret: SECRET, allowed: LOOPBACK, clock, timeoutMs: 30_000, ...wishes })
}

describe("alerts by webhook", () => {
  test("are posted as JSON with a signature that a library of Standard Webhooks accepts", async () => {
    await using at = receiver()
    const channel = channelTo(`http://localhost:${at.port}/hooks/T0KEN?x=1`)
    expect(channel.target).toBe(`http://localhost:${at.port}/***`)
    await channel.send(message)
    const [heard] = at.heard
    expect(heard?.path).toBe("/hooks/T0KEN?x=1")
    expect(heard?.headers).toMatchObject({
      "content-type": "application/json",
      "webhook-id": "9b2e",
      "webhook-timestamp": "1794744000",
    })
    expect(JSON.parse(heard?.body ?? "")).toEqual({
      id: "9b2e",
      type: "alerts.changed",
      installation: "https://ads.example.com",
      text: "Disk space is low.\n7 MB\nhttps://ads.example.com/x\n\nResolved: The last backup failed.\nIt began on 1 Jan 1970, 00:00 UTC and lasted less than an hour.",
      alerts: [
        {
          kind: "disk_low",
          subject: "",
          state: "began",
          title: "Disk space is low",
          detail: "7 MB",
          url: "https://ads.example.com/x",
          began_at: "1970-01-01T00:00:00.000001Z",
          resolved_at: null,
        },
        {
          kind: "backup_failed",
          subject: "",
          state: "resolved",
          title: "The last backup failed",
          detail: "",
          url: "https://ads.example.com/y",
          began_at: "1970-01-01T00:00:00.000001Z",
          resolved_at: "1970-01-01T00:00:00.000002Z",
        },
      ],
      more: 0,
    })
    const now = { ...heard?.headers, "webhook-timestamp": `${heard?.headers["webhook-timestamp"]}` }
    const library = new Webhook(SECRET)
    const signed = library.sign("9b2e", new Date(clock() / 1_000), heard?.body ?? "")
    expect(now).toMatchObject({ "webhook-signature": signed })
  })

  test("are verified by the snippet of the guide, and what was changed or is old is not", async () => {
    await using at = receiver()
    const [snippet] = snippets(await Bun.file("docs/operations.md").text(), "js")
    const now = () => Date.now() * 1_000
    await channelTo(`http://127.0.0.1:${at.port}/`, { clock: now }).send(message)
    await channelTo(`http://127.0.0.1:${at.port}/`).send(message)
    const [fresh, old] = at.heard
    const tries = [
      [fresh?.headers, fresh?.body, SECRET],
      [fresh?.headers, `${fresh?.body} `, SECRET],
      [fresh?.headers, fresh?.body, SECRET.toLowerCase()],
      [{ ...fresh?.headers, "webhook-id": "another" }, fresh?.body, SECRET],
      [{ ...fresh?.headers, "webhook-signature": "v1," }, fresh?.body, SECRET],
      [{}, fresh?.body, SECRET],
      [old?.headers, old?.body, SECRET],
    ]
    const use = `
      const isGenuine = (given) => { try { return fromAdbooth(...given).type === "alerts.changed" } catch { return false } }
      console.log(JSON.parse(process.env.TRIES).map(isGenuine).join())`
    const file = { name: "verify.mjs", text: `${snippet?.text}\n${use}` }
    const ran = await runSnippet("node", file, { TRIES: JSON.stringify(tries) })
    expect(ran).toEqual({ code: 0, out: "true,false,false,false,false,false,false\n", err: "" })
  })

  test("a secret that an earlier build took is used as it is", async () => {
    await using at = receiver()
    const plain = "a secret of some length, with ü"
    await channelTo(`http://127.0.0.1:${at.port}/`, { secret: plain }).send(message)
    await channelTo(`http://127.0.0.1:${at.port}/`).send(message)
    const [one, other] = at.heard.map(({ headers }) => headers["webhook-signature"])
    expect(one).toBe(other as string)
  })

  test("go over TLS to the checked address, whose certificate must be that of the name", async () => {
    const tls = selfSigned()
    await using at = receiver(undefined, tls)
    const resolve: Resolve = async () => [{ address: "127.0.0.1" }]
    const trusted = { resolve, ca: tls.cert }
    await channelTo(`https://hooks.example.com:${at.port}/`, trusted).send(message)
    expect(at.heard).toMatchObject([{ host: `hooks.example.com:${at.port}` }])
    await expect(channelTo(`https://other.example.com:${at.port}/`, trusted).send(message)).rejects.toThrow("altnames")
    await expect(channelTo(`https://hooks.example.com:${at.port}/`, { resolve }).send(message)).rejects.toThrow(
      /self.signed/i,
    )
    expect(at.heard).toHaveLength(1)
  })

  test.each([
    "http://127.0.0.1",
    "http://localhost",
    "http://127.1",
    "http://2130706433",
    "http://0x7f.0.0.1",
    "http://[::1]",
    "http://[::ffff:127.0.0.1]",
    "http://0.0.0.0",
    "http://10.1.2.3",
    "http://169.254.169.254",
    "http://[fd00:ec2::254]",
  ])("are never sent to %s unless it is allowed", async (origin) => {
    await using at = receiver()
    const sending = channelTo(`${origin}:${at.port}/`, { allowed: [] }).send(message)
    await expect(sending).rejects.toThrow("not a public address")
    expect(at.heard).toEqual([])
  })

  test("are not sent when only one of several addresses is private", async () => {
    await using at = receiver()
    const resolve: Resolve = async () => [{ address: "93.184.216.34" }, { address: "127.0.0.1" }]
    const sending = channelTo(`https://hooks.example.com:${at.port}/`, { allowed: [], resolve }).send(message)
    await expect(sending).rejects.toThrow("127.0.0.1, which is not a public address")
  })

  test("go to an IPv4 address where there is one: not every machine that knows IPv6 addresses can reach them", async () => {
    await using at = receiver()
    const resolve: Resolve = async () => [{ address: "::1" }, { address: "127.0.0.1" }]
    await channelTo(`http://hooks.example.com:${at.port}/`, { resolve }).send(message)
    expect(at.heard).toHaveLength(1)
  })

  test("a name is asked for once for each attempt: another answer later changes nothing", async () => {
    await using at = receiver()
    let asked = 0
    const resolve: Resolve = async () => [{ address: ++asked === 1 ? "127.0.0.1" : "169.254.169.254" }]
    await channelTo(`http://hooks.example.com:${at.port}/`, { resolve }).send(message)
    expect([asked, at.heard.length]).toEqual([1, 1])
    const again = channelTo(`http://hooks.example.com:${at.port}/`, { resolve }).send(message)
    await expect(again).rejects.toThrow("169.254.169.254")
  })

  test("are not sent unencrypted to a public address", async () => {
    const resolve: Resolve = async () => [{ address: "93.184.216.34" }]
    const sending = channelTo("http://hooks.example.com/", { allowed: [], resolve }).send(message)
    await expect(sending).rejects.toThrow("must be an https one")
  })

  test("redirects are not followed, and only 2xx counts", async () => {
    await using target = receiver()
    const location = `http://127.0.0.1:${target.port}/`
    for (const status of [301, 302, 307, 308]) {
      await using at = receiver(() => new Response(null, { status, headers: { Location: location } }))
      await expect(channelTo(`http://127.0.0.1:${at.port}/`).send(message)).rejects.toThrow(`status ${status}`)
    }
    for (const status of [400, 404, 429, 500, 503]) {
      await using at = receiver(() => new Response("no", { status }))
      await expect(channelTo(`http://127.0.0.1:${at.port}/`).send(message)).rejects.toThrow(`status ${status}`)
    }
    expect(target.heard).toEqual([])
  })

  test("an endless answer is not read to its end", async () => {
    const kilobyte = new Uint8Array(1_024)
    let sent = 0
    const endless = () =>
      new ReadableStream({
        async pull(controller) {
          await nextTurn()
          sent += 1
          controller.enqueue(kilobyte)
        },
      })
    await using at = receiver(() => new Response(endless()))
    expect(await channelTo(`http://127.0.0.1:${at.port}/`).send(message)).toBeNull()
    expect(sent).toBeLessThan(100_000)
  })

  test.each([
    ["says nothing", ""],
    ["begins an answer", "HTTP/1.1 200 OK\r\nContent-"],
    ["is no web server", "220 mail.example.com ESMTP\r\n"],
  ])("fail soon when the receiver %s", async (_, said) => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined)
      socket.write(said)
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as { port: number }
    const sending = channelTo(`http://127.0.0.1:${port}/`, { timeoutMs: 300 }).send(message)
    await expect(sending).rejects.toThrow()
    server.close()
  })

  test("are not sent when the server stops before", async () => {
    await using at = receiver()
    const sending = channelTo(`http://127.0.0.1:${at.port}/`).send(message, AbortSignal.abort())
    await expect(sending).rejects.toThrow("The server was stopped.")
    expect(at.heard).toEqual([])
  })

  test("fail soon when the name cannot be found, and when nobody answers the resolver", async () => {
    const silent: Resolve = () => new Promise(() => undefined)
    const waiting = channelTo("https://hooks.example.com/", { resolve: silent, timeoutMs: 100 }).send(message)
    await expect(waiting).rejects.toThrow("No answer in time.")
    const nothing: Resolve = async () => []
    await expect(channelTo("https://hooks.example.com/", { resolve: nothing }).send(message)).rejects.toThrow(
      "no address",
    )
  })
})
