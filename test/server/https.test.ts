import { describe, expect, test } from "bun:test"
import { copyFileSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { openBeside } from "../harness/app.ts"
import { DELIVERY, givenKey } from "../harness/data/ingest.ts"
import { freePort, temporaryFolder } from "../harness/folder.ts"
import { startProgram } from "../harness/program.ts"
import { get, NAME, openSecure, servedOn } from "../harness/secure.ts"
import { head } from "../harness/sockets.ts"
import { until } from "../harness/until.ts"
import { type CertificateFiles, dated, selfSigned, serveWith, storeCertificate } from "../harness/world/pebble.ts"

// Requests of one address that are answered at a time.
const OF_ADDRESS_MAX = 64

const hasOpenssl = Bun.which("openssl") !== null

describe.skipIf(!hasOpenssl)("a server whose authority has a problem [needs openssl]", () => {
  test("serves an expired certificate rather than nothing while the authority doesn't answer", async () => {
    using folder = temporaryFolder()
    const files = dated(folder.path, NAME, new Date("2020-01-01"), new Date("2020-02-01"))
    const serial = storeCertificate(folder.path, files)
    const nobody = { directory: `https://localhost:${freePort()}/dir`, ca: files.cert, httpPort: freePort() }
    const port = freePort()
    await using program = await serveWith(nobody, NAME, { data: folder.path, port })
    await until(() => program.log().includes("doesn't answer"))
    expect((await get(port, "/healthz")).status).toBe(200)
    expect((await servedOn(port))?.serial).toBe(serial)
  })

  test("names the clock of the machine if the authority seems to be out of date", async () => {
    using folder = temporaryFolder()
    const { cert, key } = dated(folder.path, "localhost", new Date("2020-01-01"), new Date("2020-02-01"))
    const tls = { cert: readFileSync(cert), key: readFileSync(key) }
    using authority = Bun.serve({ port: 0, tls, fetch: () => new Response() })
    const directory = `https://localhost:${authority.port}/dir`
    await using program = await serveWith({ directory, ca: cert, httpPort: freePort() }, NAME, {})
    await until(() => program.log().includes("Check the clock of this machine"))
    expect((await fetch(`${program.url}/readyz`)).status).toBe(200)
  })
})

describe.skipIf(!hasOpenssl)("a server with certificate files of its operator [needs openssl]", () => {
  test("serves a replaced pair within seconds, and a pair that doesn't fit changes nothing", async () => {
    using folder = temporaryFolder()
    const [cert, key] = [join(folder.path, "cert.pem"), join(folder.path, "key.pem")]
    const put = (pair: CertificateFiles) => {
      copyFileSync(pair.key, key)
      copyFileSync(pair.cert, cert)
    }
    // A pair that has expired is read again every second, and any other one every five.
    const expired = () => dated(folder.path, NAME, new Date("2020-01-01"), new Date("2020-02-01"))
    put(expired())
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

  test("counts requests by the address of their caller", async () => {
    using folder = temporaryFolder()
    const { cert, key } = selfSigned(folder.path, [NAME])
    const port = freePort()
    const ports = ["--https-port", String(port), "--http-port", String(freePort())]
    await using program = await startProgram({ options: ["--tls-cert", cert, "--tls-key", key, ...ports] })
    await using command = await openBeside(program.data)
    // A key may send 60 requests a minute.
    const keys = [await givenKey(command), await givenKey(command)]
    using held = new DisposableStack()
    for (let i = 0; i < OF_ADDRESS_MAX; i++) {
      const headers = ["Content-Type: application/json", "Content-Length: 9"]
      const unfinished = head(`POST ${DELIVERY}`, `Authorization: Bearer ${keys[i % 2]}`, ...headers)
      held.use(await openSecure(port, "127.0.0.2")).send(unfinished)
    }
    const statusFrom = async (address: string) => {
      using connection = await openSecure(port, address)
      connection.send(head("GET /readyz"))
      await until(() => connection.received().includes("\r\n"))
      return connection.received().split(" ")[1]
    }
    await until(async () => (await statusFrom("127.0.0.2")) === "503")
    expect(await statusFrom("127.0.0.3")).toBe("200")
  })
})
