import { expect, test } from "bun:test"
import { existsSync, readdirSync } from "node:fs"
import { temporaryFolder } from "../harness/folder.ts"
import { runProgram, startProgram } from "../harness/program.ts"

test("the demo prints where to sign in and commands that work, touches no data, and leaves nothing behind", async () => {
  using folder = temporaryFolder()
  const data = `${folder.path}/data`
  await using demo = await startProgram({ data, options: ["--demo"], environment: { TMPDIR: folder.path } })
  const text = demo.output()
  expect(text).toContain(`Sign in at ${demo.url}/app as one of these:`)
  expect(text.match(/^ {2}\S+@\S+\.example +\w{16} {2}/gm)).toHaveLength(5)

  const [report = "", rejected = "", agent = ""] = text.match(/^curl .*\n.*$/gm) ?? []
  expect(await runCommand(report)).toMatchObject({ accepted: 2, rejected: 0 })
  expect(await runCommand(rejected)).toMatchObject({ accepted: 0, rejected: 2 })
  const { result } = await runCommand(agent)
  const products = result.structuredContent.products.map(({ product_id }: { product_id: string }) => product_id)
  expect(products).toContain("sea-stories-midroll")
  const [shared = ""] = /http\S+\/app\/share\/\S+/.exec(text) ?? []
  expect(await (await fetch(shared)).text()).toContain("Sea Stories, mid-roll")

  const exported = await runProgram("export", "--all", "--data", left(folder.path)[0] ?? "")
  const rows = exported
    .trimEnd()
    .split("\n")
    .map((row) => Object.keys(JSON.parse(row))[0])
  for (const table of ["delivery_report", "affiliate_metric", "agent_call", "share_link", "sale_order", "statement"])
    expect(rows).toContain(table)

  expect(await demo.stop()).toBe(0)
  expect(existsSync(data)).toBe(false)
  expect(left(folder.path)).toEqual([])
})

/** The data directories of demos in a folder. */
const left = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith("adbooth-demo-"))
    .map((name) => `${folder}/${name}`)

/** Runs a command that the demo prints, and returns the JSON of its answer. */
async function runCommand(command: string) {
  const child = Bun.spawn(["bash", "-c", command], { stdout: "pipe", stderr: "ignore" })
  const answer = await new Response(child.stdout).text()
  return JSON.parse(answer.replace(/^(event|data): */gm, "").replace(/^message\n/, ""))
}
