import { expect } from "bun:test"
import { Resolver } from "node:dns/promises"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "../../free-port.ts"
import { temporaryFolder } from "../../harness.ts"
import { until } from "../../until.ts"

/** Why tests against a real authority cannot run here; null where they can. */
export const noPebble =
  Bun.which("pebble") === null || Bun.which("pebble-challtestsrv") === null || Bun.which("openssl") === null
    ? "an authority to get certificates from is missing: Debian's packages pebble and openssl"
    : null
if (noPebble !== null) console.error(`SKIPPED: ${noPebble}.`)

export interface Pebble extends AsyncDisposable {
  readonly directory: string
  /** The port on which it expects the answer to its check. */
  readonly httpPort: number
  /** The certificate authority that vouches for the directory itself. */
  readonly ca: string
  /** Lets every name point to this address. */
  pointTo(address: string): Promise<void>
  /** From now on nobody is answered, until it goes on. */
  fallSilent(): void
  goOn(): void
}

/** A certificate for these names, signed by itself. */
export function selfSigned(folder: string, names: readonly string[], days: number): { cert: string; key: string } {
  const [cert, key] = [join(folder, `${crypto.randomUUID()}.pem`), join(folder, `${crypto.randomUUID()}.key`)]
  const alternatives = names.map((name) => (/^[\d.]+$/.test(name) ? `IP:${name}` : `DNS:${name}`)).join()
  const made = Bun.spawnSync([
    ...["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
    ...["-keyout", key, "-out", cert, "-days", String(days), "-subj", `/CN=${names[0]}`],
    ...["-addext", `subjectAltName=${alternatives}`],
  ])
  if (!made.success) throw new Error(made.stderr.toString())
  return { cert, key }
}

/** A certificate for this name that is valid from one day to another, signed by itself. */
export function dated(folder: string, name: string, from: Date, to: Date): { cert: string; key: string } {
  const [cert, key] = [join(folder, "dated.pem"), join(folder, "dated.key")]
  const settings = ["database = database", "new_certs_dir = .", "rand_serial = yes", "default_md = sha256"]
  const sections = ["[ca]", "default_ca = a", "[a]", ...settings, "copy_extensions = copy", "policy = p"]
  writeFileSync(join(folder, "database"), "")
  writeFileSync(join(folder, "ca.cnf"), [...sections, "[p]", "CN = supplied"].join("\n"))
  const names = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`]
  const openssl = (...words: string[]) => {
    const made = Bun.spawnSync(["openssl", ...words], { cwd: folder })
    if (!made.success) throw new Error(made.stderr.toString())
  }
  const written = (moment: Date) => moment.toISOString().replace(/\.\d+|\W|T/g, "")
  openssl("req", "-new", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", "request", ...names)
  const dates = ["-startdate", written(from), "-enddate", written(to)]
  openssl("ca", "-config", "ca.cnf", "-selfsign", "-batch", "-keyfile", key, "-in", "request", "-out", cert, ...dates)
  return { cert, key }
}

/** A certificate that was valid years ago: what every certificate looks like to a clock that is ahead. */
export const outdated = (folder: string) => dated(folder, "localhost", new Date("2020-01-01"), new Date("2020-02-01"))

/** Let's Encrypt's own small authority for tests, with a name server of its own. */
export async function startPebble(): Promise<Pebble> {
  return (await tryPebble()) ?? startPebble()
}

/** Null where somebody else was faster to take one of its ports. */
async function tryPebble(): Promise<Pebble | null> {
  const close = new AsyncDisposableStack()
  const folder = close.use(temporaryFolder())
  const { cert, key } = selfSigned(folder.path, ["localhost", "127.0.0.1"], 2)
  const [port, management, httpPort, dns, dnsManagement] = Array.from({ length: 5 }, freePort)
  const config = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: cert,
    privateKey: key,
    httpPort,
    tlsPort: 1,
    certificateValidityPeriod: 3_600,
  }
  const file = join(folder.path, "pebble.json")
  writeFileSync(file, JSON.stringify({ pebble: config }))
  const run = (args: readonly string[]) => {
    const child = Bun.spawn([...args], { stdio: ["ignore", "ignore", "ignore"], env: { PEBBLE_VA_NOSLEEP: "1" } })
    close.defer(async () => {
      child.kill("SIGKILL")
      await child.exited
    })
    return child
  }
  const names = ["-defaultIPv4", "127.0.0.1", "-defaultIPv6", "", "-http01", "", "-https01", "", "-tlsalpn01", ""]
  const dnsPorts = ["-dns01", `127.0.0.1:${dns}`, "-management", `127.0.0.1:${dnsManagement}`]
  const programs = [
    run([Bun.which("pebble") ?? "", "-config", file, "-dnsserver", `127.0.0.1:${dns}`]),
    run([Bun.which("pebble-challtestsrv") ?? "", ...names, ...dnsPorts]),
  ] as const
  const directory = `https://localhost:${port}/dir`
  const isOk = (url: string, init: BunFetchRequestInit) =>
    fetch(url, { ...init, signal: AbortSignal.timeout(2_000) }).then(({ ok }) => ok)
  const pointTo = (ip: string) =>
    isOk(`http://127.0.0.1:${dnsManagement}/set-default-ipv4`, { method: "POST", body: JSON.stringify({ ip }) })
  const resolver = new Resolver({ timeout: 2_000, tries: 1 })
  resolver.setServers([`127.0.0.1:${dns}`])
  // Each part of both listens when it gets to it.
  const isUp = async () =>
    (await isOk(directory, { tls: { rejectUnauthorized: false } })) &&
    (await pointTo("127.0.0.1")) &&
    (await resolver.resolve4("any.example.org")).length > 0
  const isGone = () => programs.some(({ exitCode }) => exitCode !== null)
  await until(async () => isGone() || (await isUp().catch(() => false)))
  if (isGone()) {
    await close.disposeAsync()
    return null
  }
  return {
    directory,
    httpPort: httpPort ?? 0,
    ca: cert,
    fallSilent: () => programs[0].kill("SIGSTOP"),
    goOn: () => programs[0].kill("SIGCONT"),
    pointTo: async (address) => expect(await pointTo(address)).toBe(true),
    [Symbol.asyncDispose]: () => close.disposeAsync(),
  }
}
