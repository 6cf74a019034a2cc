import { describe, expect, test } from "bun:test"
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { openBeside } from "../harness/app.ts"
import { DELIVERY, givenKey } from "../harness/data/ingest.ts"
import { chooseInApp } from "../harness/data/jobs.ts"
import { freePort, temporaryFolder } from "../harness/folder.ts"
import { startProgram } from "../harness/program.ts"
import { get, NAME, openSecure, servedOn } from "../harness/secure.ts"
import { head } from "../harness/sockets.ts"
import { until } from "../harness/until.ts"
import {
  type CertificateFiles,
  dated,
  hasPebble,
  selfSigned,
  serveWith,
  startPebble,
  storeCertificate,
} from "../harness/world/pebble.ts"

// A real authority takes its time, and so do the pauses between two looks at a certificate.
const RENEWALS = 8

const count = (text: string, part: string): number => text.split(part).length - 1

/** Asks on a new connection each time. Returns how often there was no answer. */
async function askAnew(port: number, isOver: () => boolean): Promise<number> {
  let lost = 0
  while (!isOver()) {
    const isAnswered = await get(port, "/healthz", false).then(
      ({ status }) => status === 200,
      () => false,
    )
    if (!isAnswered) lost++
  }
  return lost
}

/** Asks again and again on one connection. Returns how often it was closed. */
async function askAgain(port: number, isOver: () => boolean): Promise<number> {
  using connection = await openSecure(port)
  for (let asked = 1; !isOver(); asked++) {
    connection.send(head("GET /healthz"))
    await until(() => connection.isClosed() || count(connection.received(), "HTTP/1.1 200") === asked)
    if (connection.isClosed()) return 1 + (await askAgain(port, isOver))
  }
  return 0
}

describe.skipIf(!hasPebble)("a server that gets its certificate itself [needs pebble]", () => {
  test("serves HTTPS for two domains, redirects from the plain port, and keeps its keys to itself", async () => {
    await using pebble = await startPebble()
    const port = freePort()
    await using program = await serveWith(pebble, `${NAME},b.example.org`, { port })
    await until(async () => (await servedOn(port)) !== null)
    expect((await servedOn(port))?.names).toBe(`DNS:${NAME}, DNS:b.example.org`)
    const health = await get(port, "/healthz")
    expect(health.status).toBe(200)
    expect(health.headers.get("strict-transport-security")).toContain("max-age")
    const plain = await fetch(`http://127.0.0.1:${pebble.httpPort}/app/x?y=1`, {
      headers: { Host: "evil.example" },
      redirect: "manual",
    })
    expect([plain.status, plain.headers.get("location")]).toEqual([308, `https://${NAME}:${port}/app/x?y=1`])
    for (const file of ["account.pem", "certificate.pem"])
      expect(statSync(join(program.data, "https", file)).mode & 0o777).toBe(0o600)
  })

  test("serves a domain that was chosen in the app without a restart, and stops when it's removed there", async () => {
    await using pebble = await startPebble()
    const port = freePort()
    const ports = ["--https-port", String(port), "--http-port", String(pebble.httpPort)]
    await using program = await startProgram({
      options: ["--acme-directory", pebble.directory, ...ports],
      environment: { NODE_EXTRA_CA_CERTS: pebble.ca },
    })
    await using operator = await openBeside(program.data)
    await chooseInApp(operator, "https", { domains: [NAME], email: "op@example.com" })
    await until(async () => (await servedOn(port))?.names === `DNS:${NAME}`)
    expect((await get(port, "/healthz")).headers.get("strict-transport-security")).toContain("max-age")
    await chooseInApp(operator, "https", null)
    await until(async () => (await servedOn(port)) === null)
    expect((await fetch(`${program.url}/healthz`)).status).toBe(200)
  })

  test("renews it with a third of its life left, and every request is answered", async () => {
    await using pebble = await startPebble()
    using folder = temporaryFolder()
    const [from, to] = [-195_000, 105_000].map((ms) => new Date(Date.now() + ms))
    const serial = storeCertificate(folder.path, dated(folder.path, NAME, from ?? new Date(), to ?? new Date()))
    pebble.fallSilent()
    const port = freePort()
    await using program = await serveWith(pebble, NAME, { data: folder.path, port })
    await until(async () => (await servedOn(port))?.serial === serial)
    await using command = await openBeside(program.data)
    const body = '{"items":[7]}'
    const headers = ["Content-Type: application/json", `Content-Length: ${body.length}`]
    using inFlight = await openSecure(port)
    inFlight.send(head(`POST ${DELIVERY}`, `Authorization: Bearer ${await givenKey(command)}`, ...headers))

    const outcomes: string[] = []
    let isOver = false
    const call = async () => {
      while (!isOver) outcomes.push(await get(port, "/healthz", false).then(({ status }) => String(status), String))
    }
    const callers = [call(), call(), call()]
    pebble.goOn()
    await until(async () => ((await servedOn(port)) ?? { serial }).serial !== serial)
    const answered = outcomes.length
    await until(() => outcomes.length > answered + 40)
    isOver = true
    await Promise.all(callers)
    expect([...new Set(outcomes)]).toEqual(["200"])
    inFlight.send(body)
    await until(() => inFlight.received().startsWith("HTTP/1.1 200"))
  })

  test("says what to do if a name points elsewhere, waits before it tries again, and answers on the plain port", async () => {
    await using pebble = await startPebble()
    await pebble.pointTo("127.0.0.2")
    const port = freePort()
    await using program = await serveWith(pebble, NAME, { port, httpPort: freePort() })
    await until(() => program.log().includes("must be reachable from the internet"))
    expect(program.log()).toContain("next_try")
    expect((await fetch(`${program.url}/readyz`)).status).toBe(200)
    expect(await servedOn(port)).toBeNull()
    // No link leads to an address at which nobody answers.
    expect(program.output()).not.toContain("https://")
  })

  test("says which port another program has, and serves without HTTPS", async () => {
    await using pebble = await startPebble()
    using folder = temporaryFolder()
    storeCertificate(folder.path, selfSigned(folder.path, [NAME]))
    using taken = Bun.listen({ hostname: "::", port: 0, socket: { data: () => undefined } })
    await using program = await serveWith(pebble, NAME, { data: folder.path, port: taken.port })
    await until(() => program.log().includes(`Port ${taken.port} is in use by another program`))
    expect((await fetch(`${program.url}/healthz`)).status).toBe(200)
  })

  test("keeps its account if it's killed before it has a certificate", async () => {
    await using pebble = await startPebble()
    using folder = temporaryFolder()
    const account = join(folder.path, "https", "account.pem")
    const killed = await serveWith(pebble, NAME, { data: folder.path })
    await until(() => existsSync(account))
    await killed.kill()
    const key = readFileSync(account, "utf8")
    const port = freePort()
    await using _ = await serveWith(pebble, NAME, { data: folder.path, port })
    await until(async () => (await servedOn(port)) !== null)
    expect(readFileSync(account, "utf8")).toBe(key)
  })
})

describe.skipIf(Bun.which("openssl") === null)(
  "a server with certificate files of its operator [needs openssl]",
  () => {
    test("loses no handshake and no request while the pair is replaced", async () => {
      using folder = temporaryFolder()
      const [cert, key] = [join(folder.path, "cert.pem"), join(folder.path, "key.pem")]
      // Pairs that have expired are read again every second.
      const pairs = ["a", "b"].map((name) => {
        mkdirSync(join(folder.path, name))
        return dated(join(folder.path, name), NAME, new Date("2020-01-01"), new Date("2020-02-01"))
      })
      const put = (pair: CertificateFiles | undefined) => {
        copyFileSync(pair?.key ?? "", key)
        copyFileSync(pair?.cert ?? "", cert)
      }
      put(pairs[0])
      const port = freePort()
      const ports = ["--https-port", String(port), "--http-port", String(freePort())]
      await using _ = await startProgram({ options: ["--tls-cert", cert, "--tls-key", key, ...ports] })
      await until(async () => (await servedOn(port)) !== null)

      let isOver = false
      const callers = [askAnew, askAnew, askAnew, askAgain, askAgain].map((ask) => ask(port, () => isOver))
      for (let renewal = 1; renewal <= RENEWALS; renewal++) {
        const serial = (await servedOn(port))?.serial
        put(pairs[renewal % 2])
        await until(async () => ((await servedOn(port)) ?? { serial }).serial !== serial)
      }
      isOver = true
      expect(await Promise.all(callers)).toEqual([0, 0, 0, 0, 0])
    })
  },
)
