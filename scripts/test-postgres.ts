// npm run test:postgres [-- FILES]: the tests of everything that starts the server, on PostgreSQL, in as many processes as there are
// cores. Without FILES those of every door but the command line, whose own tests name the engine, and the browser, which sees no difference.
import { readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { noPostgres, testServer } from "../test/storage/postgres/server.ts"

const FOLDERS = ["doors/ingest", "doors/agent", "doors/web", "doors/metrics", "trust", "actions", "server", "jobs"]
// Replicas use PostgreSQL in `npm test` already; protocols and documents are the same whatever stores the data.
const ELSEWHERE = /\/(?:browser|replicas)\/|\/(?:official-clients|transport|every-message|openapi|hostile)\.test/
const PROCESSES_MAX = 4

if (noPostgres !== null) process.exit(0)

const named = process.argv.slice(2)
const files = named.length > 0 ? named : FOLDERS.flatMap(testsIn).filter(startsServer)
if (files.length === 0) throw new Error("there are no tests to run")

function testsIn(folder: string): string[] {
  return [...new Bun.Glob(`test/${folder}/**/*.test.ts`).scanSync(".")].sort()
}

function startsServer(file: string): boolean {
  return !ELSEWHERE.test(file) && readFileSync(file, "utf8").includes("startApp(")
}

// One server for all of them.
const server = await testServer()
const env = {
  ...process.env,
  ADBOOTH_TEST_ENGINE: "postgres",
  ADBOOTH_TEST_POSTGRES: server.urlOf("postgres"),
  FORCE_COLOR: "0",
}

/** Runs one file after the other, and prints what each says when it has ended. */
async function runNext(): Promise<string[]> {
  const file = files.shift()
  if (file === undefined) return []
  const child = Bun.spawn([process.execPath, "test", "--timeout", "60000", `./${file}`], {
    stdio: ["ignore", "pipe", "pipe"],
    env,
  })
  const said = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  process.stderr.write(said.join(""))
  const failed = (await child.exited) === 0 ? [] : [file]
  return [...failed, ...(await runNext())]
}

const count = files.length
const began = performance.now()
const processes = Math.min(PROCESSES_MAX, availableParallelism())
const failed = (await Promise.all(Array.from({ length: processes }, runNext))).flat()
const seconds = Math.round((performance.now() - began) / 1_000)
const result = failed.length === 0 ? "all passed" : `failed: ${failed.join(", ")}`
process.stdout.write(`${count} test files on PostgreSQL in ${seconds} s, ${result}\n`)
process.exit(failed.length === 0 ? 0 : 1)
