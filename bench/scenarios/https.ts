import { join } from "node:path"
import { freePort } from "../../test/free-port.ts"
import { atLeast } from "../harness/goals.ts"
import type { Options } from "../harness/options.ts"
import { temporaryFolder } from "../harness/places.ts"
import { type Running, runProgram } from "../harness/process.ts"
import { cpuSecondsOf } from "../harness/processor-time.ts"
import { newInstallation } from "../harness/product.ts"
import { interleave } from "../harness/rounds.ts"
import type { Outcome, Scenario } from "../harness/scenario.ts"
import { askOnce, serverContender } from "../harness/server-contender.ts"
import { creativeFormats } from "./hot-paths.ts"

const ITSELF = "Adbooth with a certificate"
const PROXIED = "Adbooth behind nginx"
const PLAIN = "Adbooth without HTTPS"

/** The same requests over TLS, with all processes counted that take part in an answer. */
export const https: Scenario = {
  name: "https",
  title: "HTTPS: list_creative_formats, 16 connections",
  run,
}

async function run(options: Options): Promise<Outcome> {
  const missing = ["openssl", "nginx"].filter((program) => Bun.which(program) === null)
  if (missing.length > 0)
    return { unit: "", figures: [], goals: [], notes: [`Not measured. It needs ${missing.join(" and ")}.`] }
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(temporaryFolder()).path
  const certificate = await selfSigned(folder)
  const installation = stack.use(newInstallation())
  const load = await creativeFormats.fill(installation)
  const secure = await withCertificate(installation, certificate)
  const behind = stack.use(newInstallation())
  const plain = await behind.serve()
  const proxy = await startNginx(folder, certificate, plain.url)
  creativeFormats.check(await askOnce(plain, load.requests(0)[0]))
  const contenders = [
    serverContender(ITSELF, secure, load),
    serverContender(PROXIED, proxy, load, () => cpuSecondsOf(proxy.pid) + cpuSecondsOf(plain.pid)),
    serverContender(PLAIN, plain, load),
  ].map((contender) => stack.use(contender))
  const figures = await interleave(contenders, options)
  return { unit: "requests/s", figures, goals: [atLeast(1, figures, ITSELF, PROXIED)] }
}

interface Certificate {
  readonly cert: string
  readonly key: string
}

async function selfSigned(folder: string): Promise<Certificate> {
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")]
  const kind = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
  await runProgram(["openssl", ...kind, "-keyout", key, "-out", cert, "-subj", "/CN=localhost"])
  return { cert, key }
}

async function withCertificate(
  installation: ReturnType<typeof newInstallation>,
  { cert, key }: Certificate,
): Promise<Running> {
  const [port, httpPort] = [freePort(), freePort()]
  const ports = ["--https-port", String(port), "--http-port", String(httpPort)]
  const server = await installation.serve("--tls-cert", cert, "--tls-key", key, ...ports)
  return { ...server, url: `https://127.0.0.1:${port}` }
}

/** One worker, with connections to the server that are kept, as deploy/nginx.conf has them. */
async function startNginx(folder: string, { cert, key }: Certificate, upstream: string): Promise<Running> {
  const port = freePort()
  const file = join(folder, "nginx.conf")
  await Bun.write(
    file,
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
events { worker_connections 1024; }
http {
  access_log off; keepalive_requests 1000000000;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  upstream adbooth { server ${new URL(upstream).host}; keepalive 64; }
  server {
    listen 127.0.0.1:${port} ssl; ssl_certificate ${cert}; ssl_certificate_key ${key};
    location / { proxy_pass http://adbooth; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host; }
  }
}
`,
  )
  const child = Bun.spawn(["nginx", "-c", file, "-e", join(folder, "nginx.log")], {
    stdio: ["ignore", "ignore", "inherit"],
  })
  const url = `https://127.0.0.1:${port}`
  const answers = () =>
    fetch(`${url}/healthz`, { tls: { rejectUnauthorized: false } }).then(
      (it) => it.ok,
      () => false,
    )
  while (child.exitCode === null && !(await answers())) await Bun.sleep(50)
  if (child.exitCode !== null) throw new Error("nginx did not start")
  return {
    url,
    // Its worker, which does all the work.
    pid: Number((await Bun.file(`/proc/${child.pid}/task/${child.pid}/children`).text()).trim()),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM")
      await child.exited
    },
  }
}
