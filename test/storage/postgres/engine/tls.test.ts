import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { spawnSync } from "node:child_process"
import { chmodSync, chownSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { postgresStore } from "../../../../src/storage/postgres/index.ts"
import { temporaryFolder } from "../../../harness.ts"
import { AS_NOBODY } from "../binaries.ts"
import { type CrashingServer, crashingServer } from "../crashing-server.ts"
import { noPostgres } from "../server.ts"

const noOpenssl = Bun.which("openssl") === null
if (noOpenssl) process.stderr.write("TLS to PostgreSQL is not tested: there is no openssl to make certificates with.\n")

/** A certificate of our own authority, for the name localhost alone, and the authority of somebody else. */
function makeCertificates(folder: string): void {
  const openssl = (...args: string[]) => {
    const { status, stderr } = spawnSync("openssl", args, { cwd: folder })
    if (status !== 0) throw new Error(`openssl failed: ${stderr}`)
  }
  const authority = (name: string) =>
    openssl(
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-days",
      "2",
      "-subj",
      `/CN=${name}`,
      "-keyout",
      `${name}.key`,
      "-out",
      `${name}.crt`,
    )
  authority("ours")
  authority("theirs")
  openssl(
    "req",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-subj",
    "/CN=localhost",
    "-keyout",
    "server.key",
    "-out",
    "server.csr",
  )
  writeFileSync(join(folder, "names"), "subjectAltName=DNS:localhost")
  openssl(
    "x509",
    "-req",
    "-in",
    "server.csr",
    "-CA",
    "ours.crt",
    "-CAkey",
    "ours.key",
    "-CAcreateserial",
    "-days",
    "2",
    "-extfile",
    "names",
    "-out",
    "server.crt",
  )
  chmodSync(folder, 0o755)
  chmodSync(join(folder, "server.key"), 0o600)
  for (const name of ["server.key", "server.crt"])
    if (AS_NOBODY.uid !== undefined) chownSync(join(folder, name), AS_NOBODY.uid, AS_NOBODY.gid)
}

describe.skipIf(noPostgres !== null || noOpenssl)("TLS to PostgreSQL", () => {
  let folder: ReturnType<typeof temporaryFolder>
  let server: CrashingServer
  let plain: CrashingServer

  beforeAll(async () => {
    folder = temporaryFolder()
    makeCertificates(folder.path)
    const at = (name: string) => join(folder.path, name)
    server = await crashingServer({
      settings: ["ssl=on", `ssl_cert_file=${at("server.crt")}`, `ssl_key_file=${at("server.key")}`],
    })
    plain = await crashingServer()
  })
  afterAll(() => {
    server[Symbol.dispose]()
    plain[Symbol.dispose]()
    folder[Symbol.dispose]()
  })

  /** Whether the sessions of a store are encrypted. */
  async function isEncrypted(host: string, query: string, { port } = server): Promise<boolean> {
    const { store } = await postgresStore(`postgres://adbooth@${host}:${port}/postgres?pool_size=2&${query}`)
    await using _ = store
    const client = new Bun.SQL(server.url, { max: 1 })
    try {
      const sessions = await client`SELECT s.ssl FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid)
        WHERE a.application_name LIKE 'adbooth%'`
      return sessions.length > 0 && sessions.every(({ ssl }: { ssl: boolean }) => ssl)
    } finally {
      await client.close()
    }
  }
  const root = (name: string) => `sslrootcert=${join(folder.path, `${name}.crt`)}`

  test("sslmode=require encrypts, whoever signed the certificate", async () => {
    expect(await isEncrypted("127.0.0.1", "sslmode=require")).toBe(true)
  })

  test("sslmode=disable does not", async () => {
    expect(await isEncrypted("127.0.0.1", "sslmode=disable")).toBe(false)
  })

  test("sslmode=verify-full takes the right authority and name", async () => {
    expect(await isEncrypted("localhost", `sslmode=verify-full&${root("ours")}`)).toBe(true)
  })

  test("sslmode=verify-full refuses a certificate for another name; verify-ca takes it", async () => {
    await expect(isEncrypted("127.0.0.1", `sslmode=verify-full&${root("ours")}`)).rejects.toThrow("cannot be reached")
    expect(await isEncrypted("127.0.0.1", `sslmode=verify-ca&${root("ours")}`)).toBe(true)
  })

  test("a certificate that somebody else signed is refused", async () => {
    for (const mode of ["verify-ca", "verify-full"])
      await expect(isEncrypted("localhost", `sslmode=${mode}&${root("theirs")}`)).rejects.toThrow("cannot be reached")
  })

  test("a server without TLS is refused where TLS is required", async () => {
    await expect(isEncrypted("127.0.0.1", "sslmode=require", plain)).rejects.toThrow("cannot be reached")
  })
})
