import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { launcherPackage, platformPackage } from "../../scripts/release/npm.ts"
import { npmFields, ON_NPM, projectOf } from "../../scripts/release/project.ts"
import { npmRegistry } from "../../scripts/release/registry.ts"
import { TARGETS } from "../../scripts/release/targets.ts"
import { BINARY, hasBinary } from "../binary.ts"
import { temporaryFolder } from "../harness.ts"

const here = TARGETS.find(({ npm: { os, cpu } }) => os === process.platform && cpu === process.arch)
const npx = Bun.which("npx")
if (npx === null) console.error("SKIPPED: the npm package is tried with npx, which is not here.")

/** The text of a file in a package. */
async function inPackage(file: Uint8Array, name: string): Promise<string> {
  const files = await new Bun.Archive(new Uint8Array(file)).files(`package/${name}`)
  return (await files.get(`package/${name}`)?.text()) ?? ""
}

test("a package carries the notices and the bill of everything in it, and no link that leads nowhere", async () => {
  const launcher = await launcherPackage(TARGETS)
  const notices = await inPackage(launcher, "THIRD-PARTY-NOTICES")
  for (const name of ["Bun", "SQLite", "JavaScriptCore (WebKit)", "elysia", "@fontsource-variable/figtree"])
    expect(notices).toContain(`\n${name} `)
  expect(notices).toContain("SIL OPEN FONT LICENSE")
  expect(notices).toContain("GNU LESSER GENERAL PUBLIC LICENSE")
  const { components } = JSON.parse(await inPackage(launcher, "adbooth.cdx.json")) as {
    components: { name: string; version: string; licenses: object[] }[]
  }
  expect(components.find(({ name }) => name === "SQLite")?.version).toMatch(/^3\./)
  expect(components.filter(({ licenses, version }) => !(licenses.length > 0 && version))).toEqual([])
  expect(await inPackage(launcher, "README.md")).not.toMatch(/\]\((?!https?:)/)
})

test("a release names where the project lives: what its owner has set, or the repository that it runs in", () => {
  const github = { GITHUB_SERVER_URL: "https://github.com", GITHUB_REPOSITORY: "someone/adbooth", GITHUB_SHA: "0" }
  expect(npmFields(projectOf({}))).not.toHaveProperty("repository")
  expect(npmFields(projectOf(github))).toMatchObject({
    author: "The Adbooth contributors <someone@users.noreply.github.com>",
    homepage: "https://github.com/someone/adbooth",
    repository: { type: "git", url: "git+https://github.com/someone/adbooth.git" },
    bugs: { url: "https://github.com/someone/adbooth/issues" },
  })
})

test("nothing that people read names npx adbooth while the name is not ours", () => {
  const guides = ["README.md", "CONTRIBUTING.md", "deploy/packages/install.sh", ...new Bun.Glob("docs/*.md").scanSync()]
  const named = guides.filter((file) => readFileSync(file, "utf8").includes("npx adbooth"))
  expect(ON_NPM ? [] : named).toEqual([])
})

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
  600_000,
)
