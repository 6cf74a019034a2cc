import { describe, expect, setDefaultTimeout, test } from "bun:test"
import { X509Certificate } from "node:crypto"
import { copyFileSync, existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { connect } from "node:tls"
import { httpsNote } from "../../../src/actions/operations/services.ts"
import { certificateFiles } from "../../../src/jobs/https/certificate-files.ts"
import { adbooth, hasBinary, type RunningBinary, serveBinary } from "../../binary.ts"
import { freePort } from "../../free-port.ts"
import { startApp, temporaryFolder } from "../../harness.ts"
import { until } from "../../until.ts"
import { dated, noPebble, outdated, type Pebble, selfSigned, startPebble } from "./pebble.ts"

const NAME = "ads.example.org"

setDefaultTimeout(600_000)

/** The certificate that is served on a port; null where nobody answers. */
function servedOn(port: number): Promise<{ readonly serial: string; readonly names: string } | null> {
  const { promise, resolve } = Promise.withResolvers<{ serial: string; names: string } | null>()
  const socket = connect({ host: "127.0.0.1", port, servername: NAME, rejectUnauthorized: false })
  for (const end of ["error", "close"]) socket.on(end, () => resolve(null))
  socket.on("secureConnect", () => {
    const { serialNumber, subjectaltname = "" } = socket.getPeerCertificate()
    resolve({ serial: serialNumber, names: subjectaltname })
  })
  return promise.finally(() => socket.destroy())
}

/** Returns once another certificate than this one is served. */
const untilNotServed = (serial: string, port: number) =>
  until(async () => ((await servedOn(port)) ?? { serial }).serial !== serial)

/** Returns once doctor says whether all is well with HTTPS, which is noted a moment after it became so. */
const untilNoted = (ok: boolean, data: string) =>
  until(async () => {
    const { findings } = JSON.parse((await adbooth(["doctor", "--data", data, "--json"])).out)
    return findings.some((one: { check: string; ok: boolean }) => one.check === "https" && one.ok === ok)
  })

const get = (port: number, path: string) =>
  fetch(`https://127.0.0.1:${port}${path}`, {
    headers: { Host: NAME },
    redirect: "manual",
    tls: { rejectUnauthorized: false },
  })

interface Served {
  readonly server: RunningBinary
  readonly port: number
}

describe.skipIf(noPebble !== null || !hasBinary)("HTTPS by itself", () => {
  async function serve(data: string, authority: Pebble, domain = NAME): Promise<Served> {
    const port = freePort()
    const ports = ["--https-port", String(port), "--http-port", String(authority.httpPort)]
    const names = ["--domain", domain, "--acme-directory", authority.directory]
    const server = await serveBinary(["--data", data, ...names, ...ports], {
      env: { NODE_EXTRA_CA_CERTS: authority.ca },
    })
    return { server, port }
  }

  test("a first certificate for two domains: HTTPS, HSTS, a redirect, and files that only their owner reads", async () => {
    await using pebble = await startPebble()
    using folder = temporaryFolder()
    const { server, port } = await serve(folder.path, pebble, `${NAME},b.example.org`)
    await using _ = server
    await until(async () => (await servedOn(port)) !== null)
    expect((await servedOn(port))?.names).toContain("b.example.org")
    const health = await get(port, "/healthz")
    expect([health.status, health.headers.get("strict-transport-security")]).toEqual([
      200,
      expect.stringContaining("max-age"),
    ])
    const plain = await fetch(`http://127.0.0.1:${pebble.httpPort}/app/x?y=1`, { redirect: "manual" })
    expect([plain.status, plain.headers.get("location")]).toEqual([308, `https://${NAME}:${port}/app/x?y=1`])
    for (const file of ["account.pem", "certificate.pem"])
      expect(statSync(join(folder.path, "https", file)).mode & 0o777).toBe(0o600)
    await untilNoted(true, folder.path)
  })

  test("set up by clicking: a name without an address is asked about, then HTTPS is there, and the public address follows", async () => {
    await using pebble = await startPebble()
    using folder = temporaryFolder()
    const port = freePort()
    const ports = ["--https-port", String(port), "--http-port", String(pebble.httpPort)]
    const operator = ["--email", "op@example.com", "--name", "Op", "--operator"]
    await adbooth(["user", "create", ...operator, "--data", folder.path])
    await using server = await serveBinary(
      ["--data", folder.path, "--acme-directory", pebble.directory, "--trust-proxy", "127.0.0.1", ...ports],
      { env: { NODE_EXTRA_CA_CERTS: pebble.ca } },
    )
    const successor = () => /took over.*"pid":(\d+)/.exec(server.errors())?.[1]
    using _ = { [Symbol.dispose]: () => successor() && process.kill(Number(successor()), "SIGTERM") }
    const { out } = await adbooth(["user", "create", ...operator, "--data", folder.path, "--json"])
    let cookie = ""
    const post = async (path: string, form: Record<string, string>) => {
      const headers = { Origin: server.url, Cookie: cookie }
      const body = new URLSearchParams(form)
      return fetch(`${server.url}${path}`, { method: "POST", headers, body, redirect: "manual" })
    }
    const signedIn = await post(new URL(JSON.parse(out).link).pathname, { password: "correct horse battery" })
    cookie = signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? ""
    const typed = { domain: NAME, email: "op@example.com" }
    const shown = await (await post("/app/operator/system/https", typed)).text()
    expect(shown).toContain("only to those who accept its terms")
    const asked = await (await post("/app/operator/system/https", { ...typed, terms: "yes" })).text()
    expect(asked).toContain("has no address, as seen from this server")
    const ordered = await post("/app/operator/system/https", { ...typed, terms: "yes", anyway: "yes" })
    expect(ordered.status).toBe(303)
    await until(async () => (await servedOn(port))?.names === `DNS:${NAME}`)
    expect((await get(port, "/healthz")).headers.get("strict-transport-security")).toContain("max-age")
    await untilNoted(true, folder.path)
    // It started again to use its new address.
    await until(() => successor() !== undefined)
    const { out: invited } = await adbooth(["user", "link", "op@example.com", "--data", folder.path])
    expect(invited).toContain(`https://${NAME}:${port}/`)
  })

  test("a certificate is renewed with a third of its life left, and no request is lost", async () => {
    await using pebble = await startPebble()
    using folder = temporaryFolder()
    // Of five minutes a third is left in a few seconds, or already, if the machine is slow.
    const [from, to] = [-195_000, 105_000].map((ms) => new Date(Date.now() + ms)) as [Date, Date]
    const { cert, key } = dated(folder.path, NAME, from, to)
    certificateFiles(folder.path).write(readFileSync(key, "utf8"), readFileSync(cert, "utf8"))
    const { serialNumber } = new X509Certificate(readFileSync(cert))
    // It gives the next one when everybody is connected.
    pebble.fallSilent()
    const { server, port } = await serve(folder.path, pebble)
    await using _ = server
    await until(async () => (await servedOn(port))?.serial === serialNumber)
    const outcomes: string[] = []
    let isOver = false
    // Some keep their connection, others make a new one each time.
    const caller = async (keepalive: boolean) => {
      while (!isOver) {
        const asked = fetch(`https://127.0.0.1:${port}/healthz`, {
          keepalive,
          headers: keepalive ? {} : { Connection: "close" },
          tls: { rejectUnauthorized: false },
        })
        outcomes.push(await asked.then(({ status }) => String(status), String))
      }
    }
    const callers = [true, true, true, false].map(caller)
    const answers = async (count: number) => {
      const wanted = outcomes.length + count
      await until(() => outcomes.length >= wanted)
    }
    await answers(40)
    pebble.goOn()
    await untilNotServed(serialNumber, port)
    // Each connection to the old listener ends with its next answer.
    await answers(40)
    isOver = true
    await Promise.all(callers)
    expect([...new Set(outcomes)]).toEqual(["200"])
  })

  test("a name that points elsewhere is said with what to do, is not asked about again at once, and the plain port goes on", async () => {
    await using elsewhere = await startPebble()
    await elsewhere.pointTo("127.0.0.2")
    using folder = temporaryFolder()
    const port = freePort()
    await using server = await serveBinary(
      [
        ...["--data", folder.path, "--domain", NAME, "--acme-directory", elsewhere.directory],
        // Pebble asks 127.0.0.2 at this port, where nobody listens.
        ...["--https-port", String(port), "--http-port", String(freePort())],
      ],
      { env: { NODE_EXTRA_CA_CERTS: elsewhere.ca } },
    )
    await untilNoted(false, folder.path)
    expect(server.errors()).toContain("must be reachable from the internet")
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    expect(await servedOn(port)).toBeNull()
    const doctor = await adbooth(["doctor", "--data", folder.path])
    expect([doctor.code, doctor.out]).toEqual([1, expect.stringMatching(/waiting for a certificate, next try \d/)])
    // No link leads to an address at which nobody answers.
    expect(server.output()).not.toContain("https://")
    const invited = /http:\S+\/app\/setup\/\S+/.exec(server.output())?.[0] ?? ""
    expect((await fetch(invited)).status).toBe(200)
    const { out: link } = await adbooth(["user", "setup-link", "--data", folder.path])
    expect(link).toContain(`${server.url}/app/setup/`)
    // A restart asks at once: somebody may have put it right.
    await server.stop()
    await using again = await serveBinary(
      [
        ...["--data", folder.path, "--domain", NAME, "--acme-directory", elsewhere.directory],
        ...["--https-port", String(port), "--http-port", String(freePort())],
      ],
      { env: { NODE_EXTRA_CA_CERTS: elsewhere.ca } },
    )
    await until(() => again.errors().includes("must be reachable from the internet"))
    expect((await fetch(`${again.url}/healthz`)).status).toBe(200)
  })

  test("where the port for HTTPS is taken, the link that is printed works, and log and doctor say why", async () => {
    await using pebble = await startPebble()
    using folder = temporaryFolder()
    {
      const { server, port } = await serve(folder.path, pebble)
      await using _ = server
      await until(async () => (await servedOn(port)) !== null)
    }
    using taken = Bun.listen({ hostname: "0.0.0.0", port: 0, socket: { data: () => undefined } })
    await using server = await serveBinary([
      ...["--data", folder.path, "--domain", NAME, "--acme-directory", pebble.directory],
      ...["--https-port", String(taken.port), "--http-port", String(pebble.httpPort)],
    ])
    expect(server.output()).not.toContain("https://")
    expect(server.output()).toContain("HTTPS: not answering yet; the log says why")
    expect((await fetch(/http:\S+\/app\/setup\/\S+/.exec(server.output())?.[0] ?? "")).status).toBe(200)
    await untilNoted(false, folder.path)
    expect(server.errors()).toContain(`Port ${taken.port} is in use by another program`)
    const { out: link } = await adbooth(["user", "setup-link", "--data", folder.path])
    expect(link).toContain(`${server.url}/app/setup/`)
  })

  test("an expired certificate goes on being served while the authority does not answer", async () => {
    using folder = temporaryFolder()
    const { cert, key } = outdated(folder.path)
    const stored = readFileSync(cert, "utf8")
    certificateFiles(folder.path).write(readFileSync(key, "utf8"), stored)
    const port = freePort()
    await using server = await serveBinary([
      ...["--data", folder.path, "--domain", NAME],
      ...["--acme-directory", `https://localhost:${freePort()}/dir`],
      ...["--https-port", String(port), "--http-port", String(freePort())],
    ])
    await until(() => server.errors().includes("does not answer"))
    expect((await get(port, "/healthz")).status).toBe(200)
    expect((await servedOn(port))?.serial).toBe(new X509Certificate(stored).serialNumber)
  })

  test("a server that is killed between order and certificate gets one at its next start, with the same account", async () => {
    await using pebble = await startPebble()
    using folder = temporaryFolder()
    const account = join(folder.path, "https", "account.pem")
    const killed = await serve(folder.path, pebble)
    await until(() => existsSync(account))
    await killed.server.stop("SIGKILL")
    const key = readFileSync(account, "utf8")
    const { server, port } = await serve(folder.path, pebble)
    await using _ = server
    await until(async () => (await servedOn(port)) !== null)
    expect(readFileSync(account, "utf8")).toBe(key)
  })
})

describe.skipIf(Bun.which("openssl") === null || !hasBinary)("HTTPS while the clock is wrong", () => {
  test("an authority that looks out of date is no riddle: the clock is named, and the plain port goes on", async () => {
    using folder = temporaryFolder()
    const { cert, key } = outdated(folder.path)
    using authority = Bun.serve({
      port: 0,
      tls: { cert: readFileSync(cert), key: readFileSync(key) },
      fetch: () => new Response(),
    })
    await using server = await serveBinary(
      [
        ...[
          "--data",
          join(folder.path, "data"),
          "--domain",
          NAME,
          "--acme-directory",
          `https://localhost:${authority.port}/dir`,
        ],
        ...["--https-port", String(freePort()), "--http-port", String(freePort())],
      ],
      { env: { NODE_EXTRA_CA_CERTS: cert } },
    )
    await until(() => server.errors().includes("https has a problem"))
    expect(server.errors()).toContain("Check the clock of this machine")
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  })

  test("a certificate that has yet to begin is served, and the clock is named", async () => {
    using folder = temporaryFolder()
    const { cert, key } = selfSigned(folder.path, [NAME], 90)
    await using app = await startApp({ now: "2020-01-01T00:00:00Z" })
    certificateFiles(app.config.data).write(readFileSync(key, "utf8"), readFileSync(cert, "utf8"))
    const port = freePort()
    const options = { domain: NAME, httpsPort: String(port), httpPort: String(freePort()) }
    await using _ = await startApp({ beside: app, options })
    await until(async () => typeof (await httpsNote(app.store))?.problem === "string")
    expect(await httpsNote(app.store)).toMatchObject({ advice: expect.stringContaining("the clock"), failures: 0 })
    expect(await servedOn(port)).not.toBeNull()
  })
})

describe.skipIf(Bun.which("openssl") === null || !hasBinary)("HTTPS with files of one's own", () => {
  test("a replaced pair is served within a minute, and a pair that does not fit changes nothing", async () => {
    using folder = temporaryFolder()
    const [cert, key] = [join(folder.path, "cert.pem"), join(folder.path, "key.pem")]
    const put = (pair: { cert: string; key: string }) => {
      copyFileSync(pair.key, key)
      copyFileSync(pair.cert, cert)
    }
    put(selfSigned(folder.path, [NAME], 2))
    const port = freePort()
    const files = ["--tls-cert", cert, "--tls-key", key]
    const ports = ["--https-port", String(port), "--http-port", String(freePort())]
    await using server = await serveBinary(["--data", folder.path, ...files, ...ports])
    await until(async () => (await servedOn(port)) !== null)
    // The public address is the name in the certificate.
    const { out } = await adbooth(["user", "setup-link", "--data", folder.path])
    expect(out).toContain(`https://${NAME}:${port}/`)
    const { serial: first } = (await servedOn(port)) ?? { serial: "" }
    copyFileSync(selfSigned(folder.path, [NAME], 2).key, key)
    await until(() => server.errors().includes("does not belong"))
    expect((await servedOn(port))?.serial).toBe(first)
    put(selfSigned(folder.path, [NAME], 2))
    await untilNotServed(first, port)
    expect((await get(port, "/healthz")).status).toBe(200)
  })
})

test("with PostgreSQL the proxy does HTTPS, and serve says so", async () => {
  if (!hasBinary) return
  const { code, err } = await adbooth(["serve", "--domain", NAME, "--database-url", "postgres://a@127.0.0.1:1/a"])
  expect([code, err]).toEqual([2, expect.stringContaining("a proxy in front does HTTPS")])
})
