import { expect, test } from "bun:test"
import { launcherPackage, platformPackage } from "../../scripts/release/npm.ts"
import { npmRegistry } from "../../scripts/release/registry.ts"
import { TARGETS } from "../../scripts/release/targets.ts"
import { BINARY, hasBinary } from "../binary.ts"
import { temporaryFolder } from "../harness.ts"

const here = TARGETS.find(({ npm: { os, cpu } }) => os === process.platform && cpu === process.arch)
const npx = Bun.which("npx")
if (npx === null) console.error("SKIPPED: the npm package is tried with npx, which is not here.")

test.if(hasBinary && here !== undefined && npx !== null)(
  "npx adbooth serve --demo runs from the packages alone, and stops when it is told to",
  async () => {
    if (here === undefined) return
    using home = temporaryFolder()
    const answer = await npmRegistry([
      await launcherPackage(TARGETS),
      await platformPackage(here, await Bun.file(BINARY).bytes(), 1),
    ])
    using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: ({ url }) => answer(url) })
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
