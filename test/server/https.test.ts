import { describe, expect, setDefaultTimeout, test } from "bun:test"
import { X509Certificate } from "node:crypto"
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { connect } from "node:tls"
import { openBeside } from "../harness/beside.ts"
import { DELIVERY, givenKey } from "../harness/data/ingest.ts"
import { chooseInApp } from "../harness/data/jobs.ts"
import { freePort, temporaryFolder } from "../harness/folder.ts"
import { startProgram } from "../harness/program.ts"
import { head } from "../harness/sockets.ts"
import { until } from "../harness/until.ts"
import {
  type CertificateFiles,
  dated,
  hasPebble,
  type Pebble,
  selfSigned,
  startPebble,
} from "../harness/world/pebble.ts"

setDefaultTimeout(120_000)

const NAME = "ads.example.org"

/** The certificate that is served on a port. Null if nobody answers. */
function servedOn(port: number): Promise<{ readonly serial: string; readonly names: string } | null> {
  const { promise, resolve } = Promise.withResolvers<{ serial: string; names: string } | null>()
  const socket = connect({ host: "127.0.0.1", port, servername: NAME, rejectUnauthorized: false })
  socket.on("error", () => resolve(null))
  socket.on("close", () => resolve(null))
  socket.on("secureConnect", () => {
    const { serialNumber, subjectaltname = "" } = socket.getPeerCertificate()
    resolve({ serial: serialNumber, names: subjectaltname })
  })
  return promise.finally(() => socket.destroy())
}

const get = (port: number, path: string, keepalive = true) =>
  fetch(`https://127.0.0.1:${port}${path}`, {
    keepalive,
    headers: keepalive ? { Host: NAME } : { Host: NAME, Connection: "close" },
    redirect: "manual",
    tls: { rejectUnauthorized: false },
  })

/** A connection on which a test sends a request piece by piece. */
async function openSecure(port: number) {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = connect({ host: "127.0.0.1", port, servername: NAME, rejectUnauthorized: false }, resolve)
  let received = ""
  socket.on("error", reject)
  socket.on("data", (bytes: Buffer) => {
    received += bytes
  })
  await promise
  return {
    received: () => received,
    send: (text: string) => void socket.write(text),
    [Symbol.dispose]: () => void socket.destroy(),
  }
}

interface ServeOptions {
  readonly data?: string
  readonly httpPort?: number
  readonly port?: number
}

/** A server that gets its certificate from this authority. */
function serve(pebble: Pebble, domain: string, { data, httpPort = pebble.httpPort, port = freePort() }: ServeOptions) {
  const names = ["--domain", domain, "--acme-directory", pebble.directory]
  const options = [...names, "--https-port", String(port), "--http-port", String(httpPort)]
  const environment = { NODE_EXTRA_CA_CERTS: pebble.ca }
  return startProgram({ ...(data !== undefined && { data }), options, environment })
}

/** Stores a certificate as if the server had got it itself. */
function storeCertificate(data: string, { cert, key }: CertificateFiles): string {
  mkdirSync(join(data, "https"), { recursive: true })
  writeFileSync(join(data, "https", "certificate.pem"), readFileSync(key, "utf8") + readFileSync(cert, "utf8"))
  return new X509Certificate(readFileSync(cert)).serialNumber
}

describe.skipIf(!hasPebble)("a server that gets its certificate itself", () => {
  test("serves HTTPS for two domains, redirects from the plain port, and keeps its keys to itself", async () => {
    await using pebble = await startPebble()
    const port = freePort()
    await using program = await serve(pebble, `${NAME},b.example.org`, { port })
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
    await using program = await serve(pebble, NAME, { data: folder.path, port })
    await until(async () => (await servedOn(port))?.serial === serial)
    await using command = await openBeside(program.data)
    const body = '{"items":[7]}'
    const headers = ["Content-Type: application/json", `Content-Length: ${body.length}`]
    using inFlight = await openSecure(port)
    inFlight.send(head(`POST ${DELIVERY}`, `Authorization: Bearer ${await givenKey(command)}`, ...headers))

    const outcomes: string[] = []
    let isOver = false
    const ask = () => get(port, "/healthz", false).then(({ status }) => String(status), String)
    const call = async () => {
      while (!isOver) {
        const outcome = await ask()
        // A connection that has no request yet when the port changes hands is closed, so clients open another one.
        outcomes.push(outcome.includes("ECONNRESET") ? await ask() : outcome)
      }
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
    await using program = await serve(pebble, NAME, { port, httpPort: freePort() })
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
    await using program = await serve(pebble, NAME, { data: folder.path, port: taken.port })
    await until(() => program.log().includes(`Port ${taken.port} is in use by another program`))
    expect((await fetch(`${program.url}/healthz`)).status).toBe(200)
  })

  test("serves an expired certificate rather than nothing while the authority doesn't answer", async () => {
    using folder = temporaryFolder()
    const files = dated(folder.path, NAME, new Date("2020-01-01"), new Date("2020-02-01"))
    const serial = storeCertificate(folder.path, files)
    const nobody = { directory: `https://localhost:${freePort()}/dir`, ca: files.cert, httpPort: freePort() } as Pebble
    const port = freePort()
    await using program = await serve(nobody, NAME, { data: folder.path, port })
    await until(() => program.log().includes("doesn't answer"))
    expect((await get(port, "/healthz")).status).toBe(200)
    expect((await servedOn(port))?.serial).toBe(serial)
  })

  test("keeps its account if it's killed before it has a certificate", async () => {
    await using pebble = await startPebble()
    using folder = temporaryFolder()
    const account = join(folder.path, "https", "account.pem")
    const killed = await serve(pebble, NAME, { data: folder.path })
    await until(() => existsSync(account))
    await killed.kill()
    const key = readFileSync(account, "utf8")
    const port = freePort()
    await using _ = await serve(pebble, NAME, { data: folder.path, port })
    await until(async () => (await servedOn(port)) !== null)
    expect(readFileSync(account, "utf8")).toBe(key)
  })
})

describe.skipIf(Bun.which("openssl") === null)("a server with certificate files of its operator", () => {
  test("serves a replaced pair within seconds, and a pair that doesn't fit changes nothing", async () => {
    using folder = temporaryFolder()
    const [cert, key] = [join(folder.path, "cert.pem"), join(folder.path, "key.pem")]
    const put = (pair: CertificateFiles) => {
      copyFileSync(pair.key, key)
      copyFileSync(pair.cert, cert)
    }
    put(selfSigned(folder.path, [NAME]))
    const port = freePort()
    const ports = ["--https-port", String(port), "--http-port", String(freePort())]
    await using program = await startProgram({ options: ["--tls-cert", cert, "--tls-key", key, ...ports] })
    // The public URL is the name in the certificate.
    expect(program.output()).toContain(`https://${NAME}:${port}/app/setup/`)
    const serial = (await servedOn(port))?.serial
    copyFileSync(selfSigned(folder.path, [NAME]).key, key)
    await until(() => program.log().includes("doesn't belong"))
    expect((await servedOn(port))?.serial).toBe(serial ?? "")
    put(selfSigned(folder.path, [NAME]))
    await until(async () => ((await servedOn(port)) ?? { serial }).serial !== serial)
    expect((await get(port, "/healthz")).status).toBe(200)
  })

  test("names the clock of the machine if the authority seems to be out of date", async () => {
    using folder = temporaryFolder()
    const { cert, key } = dated(folder.path, "localhost", new Date("2020-01-01"), new Date("2020-02-01"))
    const tls = { cert: readFileSync(cert), key: readFileSync(key) }
    using authority = Bun.serve({ port: 0, tls, fetch: () => new Response() })
    const directory = `https://localhost:${authority.port}/dir`
    await using program = await serve({ directory, ca: cert, httpPort: freePort() } as Pebble, NAME, {})
    await until(() => program.log().includes("Check the clock of this machine"))
    expect((await fetch(`${program.url}/readyz`)).status).toBe(200)
  })
})
