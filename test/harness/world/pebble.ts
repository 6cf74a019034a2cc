import { X509Certificate } from "node:crypto"
import { Resolver } from "node:dns/promises"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { freePort, temporaryFolder } from "../folder.ts"
import { type RunningProgram, startProgram } from "../program.ts"
import { until } from "../until.ts"

/** Whether tests with a real certificate authority can run. They need Debian's packages pebble and openssl. */
export const hasPebble = ["pebble", "pebble-challtestsrv", "openssl"].every((program) => Bun.which(program) !== null)

/** Where a server gets its certificate. */
export interface Authority {
  readonly directory: string
  /** The port on which it expects the answer to its check. */
  readonly httpPort: number
  /** The certificate that the authority's own server has. */
  readonly ca: string
}

/** Let's Encrypt's own small authority for tests, with a name server in which every name points to this machine. */
export interface Pebble extends Authority, AsyncDisposable {
  /** Lets every name point to this address. */
  pointTo(address: string): Promise<void>
  /** Answers nobody from now on. */
  fallSilent(): void
  goOn(): void
}

export async function startPebble(): Promise<Pebble> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(temporaryFolder())
  const { cert, key } = selfSigned(folder.path, ["localhost", "127.0.0.1"])
  const [port, management, httpPort, dns, dnsManagement] = [0, 0, 0, 0, 0].map(freePort)
  const file = join(folder.path, "pebble.json")
  writeFileSync(
    file,
    JSON.stringify({
      pebble: {
        listenAddress: `127.0.0.1:${port}`,
        managementListenAddress: `127.0.0.1:${management}`,
        certificate: cert,
        privateKey: key,
        httpPort,
        tlsPort: 1,
        certificateValidityPeriod: 3_600,
      },
    }),
  )

  function run(...command: readonly string[]) {
    const child = Bun.spawn([...command], {
      stdio: ["ignore", "ignore", "ignore"],
      env: { PATH: process.env["PATH"] ?? "", PEBBLE_VA_NOSLEEP: "1" },
    })
    stack.defer(async () => {
      child.kill("SIGKILL")
      await child.exited
    })
    return child
  }

  async function pointTo(ip: string): Promise<void> {
    const url = `http://127.0.0.1:${dnsManagement}/set-default-ipv4`
    await fetch(url, { method: "POST", body: JSON.stringify({ ip }) })
  }

  const off = ["-defaultIPv6", "", "-http01", "", "-https01", "", "-tlsalpn01", ""]
  const listening = ["-dns01", `127.0.0.1:${dns}`, "-management", `127.0.0.1:${dnsManagement}`]
  const authority = run("pebble", "-config", file, "-dnsserver", `127.0.0.1:${dns}`)
  run("pebble-challtestsrv", "-defaultIPv4", "127.0.0.1", ...off, ...listening)
  const directory = `https://localhost:${port}/dir`
  const resolver = new Resolver({ timeout: 2_000, tries: 1 })
  resolver.setServers([`127.0.0.1:${dns}`])
  await until(() => succeeds(fetch(directory, { tls: { rejectUnauthorized: false } })))
  await until(() => succeeds(resolver.resolve4("any.example.org")))
  const moved = stack.move()
  return {
    directory,
    httpPort: httpPort ?? 0,
    ca: cert,
    pointTo,
    fallSilent: () => authority.kill("SIGSTOP"),
    goOn: () => authority.kill("SIGCONT"),
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )

interface ServeOptions {
  readonly data?: string
  readonly httpPort?: number
  readonly port?: number
}

/** A server that gets its certificate from this authority. */
export function serveWith(authority: Authority, domain: string, options: ServeOptions): Promise<RunningProgram> {
  const { data, httpPort = authority.httpPort, port = freePort() } = options
  const names = ["--domain", domain, "--acme-directory", authority.directory]
  const ports = ["--https-port", String(port), "--http-port", String(httpPort)]
  const environment = { NODE_EXTRA_CA_CERTS: authority.ca }
  return startProgram({ ...(data !== undefined && { data }), options: [...names, ...ports], environment })
}

/** Stores a certificate as if the server had got it itself. Returns its serial number. */
export function storeCertificate(data: string, { cert, key }: CertificateFiles): string {
  mkdirSync(join(data, "https"), { recursive: true })
  writeFileSync(join(data, "https", "certificate.pem"), readFileSync(key, "utf8") + readFileSync(cert, "utf8"))
  return new X509Certificate(readFileSync(cert)).serialNumber
}

/** The paths of a certificate and its key. */
export interface CertificateFiles {
  readonly cert: string
  readonly key: string
}

/** A certificate for these names, signed by itself. */
export function selfSigned(folder: string, names: readonly string[]): CertificateFiles {
  const cert = join(folder, `${crypto.randomUUID()}.pem`)
  const key = join(folder, `${crypto.randomUUID()}.key`)
  const alternatives = names.map((name) => (/^[\d.]+$/.test(name) ? `IP:${name}` : `DNS:${name}`)).join()
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
  const subject = ["-subj", `/CN=${names[0]}`, "-addext", `subjectAltName=${alternatives}`]
  openssl(folder, "req", "-x509", ...curve, "-keyout", key, "-out", cert, "-days", "2", ...subject)
  return { cert, key }
}

/** A certificate for this name that is valid between two moments, signed by itself. */
export function dated(folder: string, name: string, from: Date, to: Date): CertificateFiles {
  const [cert, key] = [join(folder, "dated.pem"), join(folder, "dated.key")]
  const settings = ["database = database", "new_certs_dir = .", "rand_serial = yes", "default_md = sha256"]
  const sections = ["[ca]", "default_ca = a", "[a]", ...settings, "copy_extensions = copy", "policy = p"]
  writeFileSync(join(folder, "database"), "")
  writeFileSync(join(folder, "ca.cnf"), [...sections, "[p]", "CN = supplied"].join("\n"))
  const names = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`]
  openssl(folder, "req", "-new", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", "request", ...names)
  const stamp = (moment: Date) => moment.toISOString().replace(/\.\d+|\W|T/g, "")
  const dates = ["-startdate", stamp(from), "-enddate", stamp(to)]
  const signing = ["-selfsign", "-batch", "-keyfile", key, "-in", "request", "-out", cert]
  openssl(folder, "ca", "-config", "ca.cnf", ...signing, ...dates)
  return { cert, key }
}

function openssl(folder: string, ...words: readonly string[]): void {
  const { success, stderr } = Bun.spawnSync(["openssl", ...words], { cwd: folder })
  if (!success) throw new Error(stderr.toString())
}
