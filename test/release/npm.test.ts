import { expect, test } from "bun:test"
import { version } from "../../package.json"
import { launcherPackage, platformPackage } from "../../scripts/release/npm.ts"
import { TARGETS } from "../../scripts/release/targets.ts"
import { BINARY, hasBinary } from "../binary.ts"
import { temporaryFolder } from "../harness.ts"

const here = TARGETS.find(({ npm: { os, cpu } }) => os === process.platform && cpu === process.arch)
const npx = Bun.which("npx")
if (npx === null) console.error("SKIPPED: the npm package is tried with npx, which is not here.")

/** A package registry that has our packages and nothing else. */
function registry(packages: Readonly<Record<string, Uint8Array>>) {
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch({ url }) {
      const { pathname, origin } = new URL(url)
      const name = decodeURIComponent(pathname.slice(1))
      const file = packages[name.replace(/\.tgz$/, "")]
      if (file === undefined) return new Response("not found", { status: 404 })
      if (name.endsWith(".tgz")) return new Response(new Uint8Array(file))
      return Response.json(describe(name, file, `${origin}/${name}.tgz`))
    },
  })
}

/** As a registry describes a package: by the manifest in it. */
async function manifestIn(file: Uint8Array): Promise<object> {
  const packed = await new Bun.Archive(new Uint8Array(file)).files("package/package.json")
  return JSON.parse((await packed.get("package/package.json")?.text()) ?? "{}") as object
}

const manifests = new Map<string, object>()

function describe(name: string, file: Uint8Array, tarball: string) {
  const integrity = `sha512-${new Bun.CryptoHasher("sha512").update(file).digest("base64")}`
  const about = { ...manifests.get(name), dist: { tarball, integrity } }
  return { name, "dist-tags": { latest: version }, versions: { [version]: about } }
}

test.if(hasBinary && here !== undefined && npx !== null)(
  "npx adbooth serve --demo runs from the packages alone, and stops when it is told to",
  async () => {
    if (here === undefined) return
    using home = temporaryFolder()
    const packages = {
      adbooth: await launcherPackage(TARGETS),
      [`@adbooth/${process.platform}-${process.arch}`]: await platformPackage(here, await Bun.file(BINARY).bytes(), 1),
    }
    for (const [name, file] of Object.entries(packages)) manifests.set(name, await manifestIn(file))
    using server = registry(packages)
    const child = Bun.spawn([npx ?? "", "--yes", "adbooth", "serve", "--demo", "--port", "0"], {
      cwd: home.path,
      env: { PATH: process.env["PATH"] ?? "", HOME: home.path, npm_config_registry: server.url.href },
      stdio: ["ignore", "pipe", "pipe"],
    })
    let said = ""
    const decoder = new TextDecoder()
    let url: string | undefined
    for await (const chunk of child.stdout) {
      said += decoder.decode(chunk, { stream: true })
      url = /^listening on (http:\S+)$/m.exec(said)?.[1]
      if (url !== undefined) break
    }
    expect([url, url === undefined ? await new Response(child.stderr).text() : ""]).toEqual([expect.any(String), ""])
    expect(await (await fetch(`${url}/healthz`)).text()).toContain("ok")
    child.kill("SIGTERM")
    await child.exited
    // npx ends at once, the server when it has finished what it was doing.
    const isServing = () =>
      fetch(`${url}/healthz`).then(
        () => true,
        () => false,
      )
    while (await isServing());
  },
  120_000,
)
