// npm run release:try [-- --way NAME ...] [--before COMMIT|FILE.deb]: from nothing to the demo in the browser, in every way that
// `npm run release -- --dry-run` has made files for, each in a Debian root that has nothing else. Prints how long the one command took until
// GET /app answered, what it fetched, and what had to be there. Then the upgrade of the Debian package from the release before: the last
// tag, or what --before names. Needs Linux, root, debootstrap and a Debian mirror.
import { existsSync } from "node:fs"
import { rename, statfs } from "node:fs/promises"
import { availableParallelism } from "node:os"
import { basename, join } from "node:path"
import { parseArgs } from "node:util"
import { freePort } from "../test/free-port.ts"
import { type CleanRoot, startInRoot } from "./release/clean-root.ts"
import { npmRegistry } from "./release/registry.ts"
import { debBefore } from "./release/release-before.ts"
import { UPGRADE, WAYS, type Way } from "./release/ways.ts"

const FOLDER = "dist/release"
const SUITE = "trixie"
const LOWER = `dist/clean-root-${SUITE}`
const PATIENCE_MS = 120_000

const { values } = parseArgs({ options: { way: { type: "string", multiple: true }, before: { type: "string" } } })

/** Why it cannot be tried here; null when it can. */
function whyNot(): string | null {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "It needs Linux and root."
  if (!existsSync(join(FOLDER, "SHA256SUMS"))) return "There is no release yet: npm run release -- --dry-run"
  return existsSync(LOWER) || Bun.which("debootstrap") !== null ? null : "It needs debootstrap."
}

/** A Debian system as small as it gets, made once. */
async function lowerRoot(): Promise<string> {
  if (existsSync(LOWER)) return LOWER
  const made = `${LOWER}.new`
  const done = Bun.spawnSync(["debootstrap", "--variant=minbase", SUITE, made], { stdio: ["ignore", 2, "inherit"] })
  if (!done.success) throw new Error("debootstrap failed")
  await rename(made, LOWER)
  return LOWER
}

/** Serves the files of the release, and its npm packages as a registry does. */
async function releaseServer() {
  const packed = [...new Bun.Glob("npm-*.tgz").scanSync(FOLDER)]
  const registry = await npmRegistry(await Promise.all(packed.map((name) => Bun.file(join(FOLDER, name)).bytes())))
  let bytes = 0
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch({ url }) {
      const file = Bun.file(join(FOLDER, basename(new URL(url).pathname)))
      const body = (await file.exists()) ? file : await registry(url).blob()
      bytes += body.size
      return new Response(body)
    },
  })
  return { url: server.url.origin, fetched: () => bytes, [Symbol.dispose]: () => server.stop(true) }
}

/** Installs what has to be there, says so in /given/needs, and then runs the command. */
function scriptOf({ needs, command, runner = ". /command.sh" }: Way, release: string, port: number): string {
  return `
export DEBIAN_FRONTEND=noninteractive HOME=/root
export RELEASE=${release} ADBOOTH_RELEASE=${release} npm_config_registry=${release} ADBOOTH_PORT=${port}
exec >&2
cp /given/resolv.conf /etc/resolv.conf
apt-get clean
apt-get -qq update
apt-get -qq install -y --no-install-recommends ${needs.join(" ")}
cat /var/cache/apt/archives/*.deb | wc -c >/given/needs
cat >/command.sh <<'COMMAND'
cd /root
touch /given/started
${command}
COMMAND
${runner}`
}

interface Tried {
  readonly seconds: number
  readonly fetched: number
  readonly disk: number
  /** Bytes of the packages that had to be there. */
  readonly needs: number
}

async function tried(way: Way, lower: string): Promise<Tried> {
  using release = await releaseServer()
  const port = freePort()
  // Waited for here, where the release is served.
  return await inRoot(way, { lower, script: scriptOf(way, release.url, port) }, async (inside) => {
    const started = await until(async () => Bun.file(await inside("given/started")).stat())
    const before = await usedBytes(await inside(""))
    await until(() => answers(`http://127.0.0.1:${port}/app`))
    return {
      seconds: (Date.now() - started.mtimeMs) / 1000,
      fetched: release.fetched(),
      disk: (await usedBytes(await inside(""))) - before,
      needs: Number(await Bun.file(await inside("given/needs")).text()),
    }
  })
}

/** What holds after the upgrade from this package, a line each. */
async function upgraded(before: Uint8Array, lower: string): Promise<string> {
  const [now = ""] = new Bun.Glob("*.deb").scanSync(FOLDER)
  const files = {
    "before.deb": before,
    "now.deb": await Bun.file(join(FOLDER, now)).bytes(),
    "upgrade.sh": await Bun.file("scripts/release/upgrade.sh").text(),
    "catalogue.json": await Bun.file(".ci/catalogue.json").text(),
  }
  return inRoot(UPGRADE, { lower, script: scriptOf(UPGRADE, "", freePort()), files }, async (inside) => {
    await until(async () => Bun.file(await inside("given/done")).stat()).catch(async (cause) => {
      throw new Error(await Bun.file(await inside("given/said")).text(), { cause })
    })
    return Bun.file(await inside("given/said")).text()
  })
}

/** Runs it in a root of its own, and ends it when `use`, which can look inside, is done. */
async function inRoot<T>(
  { name }: Way,
  { files, ...root }: CleanRoot,
  use: (inside: (path: string) => Promise<string>) => Promise<T>,
): Promise<T> {
  const child = startInRoot({ ...root, files: { ...files, "resolv.conf": await Bun.file("/etc/resolv.conf").text() } })
  const said = new Response(child.stderr).text()
  try {
    return await use(async (path) => `/proc/${await childOf(child.pid)}/root/${path}`)
  } catch (cause) {
    child.kill("SIGKILL")
    throw new Error(`${name} failed:\n${await said}`, { cause })
  } finally {
    child.kill("SIGKILL")
    await child.exited
  }
}

/** The first process in the namespace that `unshare` has made */
async function childOf(pid: number): Promise<string> {
  return (await Bun.file(`/proc/${pid}/task/${pid}/children`).text()).trim()
}

async function usedBytes(path: string): Promise<number> {
  const { blocks, bfree, bsize } = await statfs(path)
  return (blocks - bfree) * bsize
}

async function answers(url: string): Promise<true> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} answers ${response.status}`)
  await response.text()
  return true
}

/** What `attempt` gives when it succeeds at last. */
async function until<T>(attempt: () => Promise<T>): Promise<T> {
  for (const giveUpAt = Date.now() + PATIENCE_MS; ; await Bun.sleep(20)) {
    try {
      return await attempt()
    } catch (cause) {
      if (Date.now() > giveUpAt) throw cause
    }
  }
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`

const missing = whyNot()
if (missing !== null) {
  process.stderr.write(`${missing}\n`)
  process.exit(2)
}
const lower = await lowerRoot()
process.stdout.write(
  `Debian ${SUITE}, ${availableParallelism()} cores, release and npm packages served from the same machine\n\n`,
)
process.stdout.write(
  "| Way | One command | Seconds to the page | Fetched | On disk | What has to be there |\n|---|---|---|---|---|---|\n",
)
for (const way of WAYS.filter(({ name }) => values.way?.includes(name) ?? true)) {
  const { seconds, fetched, disk, needs } = await tried(way, lower)
  const cells = [
    way.name,
    `\`${way.command.replaceAll("|", "\\|")}\``,
    seconds.toFixed(1),
    megabytes(fetched),
    megabytes(disk),
    `${way.needs.join(", ")} (${megabytes(needs)})`,
  ]
  process.stdout.write(`| ${cells.join(" | ")} |\n`)
}
if (values.way === undefined || values.before !== undefined) {
  const before = await debBefore(values.before)
  if (before === null)
    process.stdout.write("\nUPGRADE NOT TRIED: there is no tag yet; name a commit or a package with --before.\n")
  else {
    const said = await upgraded(before, lower)
    process.stdout.write(`\n${said}`)
    if (said.includes("NOT SO")) process.exit(1)
  }
}
