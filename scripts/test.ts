// npm test [-- FILES] [OPTIONS of bun test]: tests of every promise, on both engines and in a browser: minutes on two cores.
// npm run test:all: the same and everything that takes long; with -- --rest only what `npm test` leaves out.
// FILES runs the tests whose path contains one of them, long or not. Builds the executable that some tests try, and closes with how long
// each group took and one line that counts everything. ADBOOTH_TEST_ENGINE=postgres puts what is tested on PostgreSQL.
import { resolve } from "node:path"
import { chromiumPath } from "../test/doors/web/browser/chromium-path.ts"
import { noPostgres, sharedServer } from "../test/storage/postgres/server.ts"
import { type Batch, planOf, type Scope } from "./test-plan.ts"
import { runTests, summary, total } from "./test-runner.ts"

const words = process.argv.slice(2)
const scope: Scope = words.includes("--rest") ? "long" : words.includes("--all") ? "all" : "quick"
const given = words.filter((word) => word !== "--all" && word !== "--rest")
const optionsAt = given.findIndex((word) => word.startsWith("-"))
const [names, options] = optionsAt < 0 ? [given, []] : [given.slice(0, optionsAt), given.slice(optionsAt)]

/** Everything in the plan, or the files that are named. */
function chosen(): Batch[] {
  const files = [...new Bun.Glob("test/**/*.test.ts").scanSync(".")].sort()
  if (names.length === 0) return planOf(files, scope)
  const isNamed = (file: string) => names.some((name) => file.includes(name.replace(/^\.\//, "")))
  const batches = planOf(files.filter(isNamed), "all").filter(({ onPostgres }) => !onPostgres)
  if (batches.length === 0) throw new Error(`No test file has "${names.join('" or "')}" in its path.`)
  return batches
}

/** Where much is left out, nothing may look green by itself. */
function refuseToLeaveOut(): void {
  const missing = [noPostgres, chromiumPath === null ? "there is no Chromium" : null].filter((why) => why !== null)
  if (missing.length === 0 || !process.env["CI"]) return
  process.stderr.write(`In CI every test has to take part: ${missing.join("; ")}.\n`)
  process.exit(1)
}

refuseToLeaveOut()
const batches = chosen()
const built = Bun.spawnSync([process.execPath, "scripts/build.ts"], { stdio: ["ignore", "ignore", "inherit"] })
if (!built.success) process.exit(1)

// One PostgreSQL for all processes; without it each would start its own.
const env = {
  ...process.env,
  ADBOOTH_TEST_EXECUTABLE: resolve("dist/adbooth"),
  ...(noPostgres === null && (await sharedServer())),
}
// With -t most files have no test to run.
const told = options.length > 0 ? [...options, "--pass-with-no-tests"] : []
const results = await runTests({
  batches: noPostgres === null ? batches : batches.filter((batch) => !batch.onPostgres),
  env,
  options: told,
})
process.stdout.write(summary(results))
const { failed, passed } = total(results)
process.exit(failed > 0 || passed === 0 ? 1 : 0)
