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

/** A certificate that was valid years ago: what every certificate looks like to a clock that is ahead. */
export function outdated(folder: string): { cert: string; key: string } {
  const at = (name: string) => join(folder, name)
  const [cert, key] = [at("outdated.pem"), at("outdated.key")]
  const settings = ["database = database", "new_certs_dir = .", "rand_serial = yes", "default_md = sha256"]
  writeFileSync(at("database"), "")
  writeFileSync(
    at("ca.cnf"),
    ["[ca]", "default_ca = a", "[a]", ...settings, "policy = p", "[p]", "CN = supplied"].join("\n"),
  )
  const request = [
    "req",
    "-new",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-keyout",
    key,
    "-out",
    "request",
    "-subj",
    "/CN=localhost",
  ]
  const dates = ["-startdate", "20200101000000Z", "-enddate", "20200201000000Z"]
  const sign = [
    "ca",
    "-config",
    "ca.cnf",
    "-selfsign",
    "-batch",
    "-keyfile",
    key,
    "-in",
    "request",
    "-out",
    cert,
    ...dates,
  ]
  for (const words of [request, sign]) {
    const made = Bun.spawnSync(["openssl", ...words], { cwd: folder })
    if (!made.success) throw new Error(made.stderr.toString())
  }
  return { cert, key }
}

/** Let's Encrypt's own small authority for tests, with a name server of its own. Certificates are valid for `seconds`. */
export async function startPebble(seconds = 3_600): Promise<Pebble> {
  return (await tryPebble(seconds)) ?? startPebble(seconds)
}

/** Null where somebody else was faster to take one of its ports. */
async function tryPebble(seconds: number): Promise<Pebble | null> {
  const close = new AsyncDisposableStack()
  const folder = close.use(temporaryFolder())
  const { cert, key } = selfSigned(folder.path, ["localhost", "127.0.0.1"], 2)
  const [port, management, httpPort, dns, dnsManagement] = await Promise.all([1, 2, 3, 4, 5].map(() => freePort()))
  const config = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: cert,
    privateKey: key,
    httpPort,
    tlsPort: 1,
    certificateValidityPeriod: seconds,
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
    run([Bun.which("pebble-challtestsrv") ?? "", ...names, ...dnsPorts]),
    run([Bun.which("pebble") ?? "", "-config", file, "-dnsserver", `127.0.0.1:${dns}`]),
  ]
  const directory = `https://localhost:${port}/dir`
  const insecure = () => ({ tls: { rejectUnauthorized: false }, signal: AbortSignal.timeout(2_000) })
  const isGone = () => programs.some(({ exitCode }) => exitCode !== null)
  await until(async () => isGone() || (await fetch(directory, insecure()).catch(() => null))?.ok === true)
  if (isGone()) {
    await close.disposeAsync()
    return null
  }
  return {
    directory,
    httpPort: httpPort ?? 0,
    ca: cert,
    async pointTo(ip) {
      const body = JSON.stringify({ ip })
      await fetch(`http://127.0.0.1:${dnsManagement}/set-default-ipv4`, { method: "POST", body })
    },
    [Symbol.asyncDispose]: () => close.disposeAsync(),
  }
}
