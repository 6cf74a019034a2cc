// npm run test:postgres [-- FILES | --core]: the tests of everything that starts the server, on PostgreSQL, in as many processes as there
// are cores. Without FILES those of every door but the command line, whose own tests name the engine, and the browser, which sees no
// difference; with --core only those of the doors that programs use, and of what must not mix up organizations.
import { readFileSync } from "node:fs"
import { noPostgres, sharedServer } from "../test/storage/postgres/server.ts"
import { inBatches, runTests, summary } from "./test-runner.ts"

const FOLDERS = ["doors/ingest", "doors/agent", "doors/web", "doors/metrics", "trust", "actions", "server", "jobs"]
// Replicas use PostgreSQL in `npm test` already; protocols and documents are the same whatever stores the data.
const ELSEWHERE = /\/(?:browser|replicas|guides)\/|\/(?:official-clients|transport|every-message|openapi|hostile)\.test/
const CORE =
  /\/doors\/ingest\/|\/jobs\/|\/agent\/(?:auth-and-limits|isolation|tools)\.test|\/web\/(?:authorization|conflicts|upload)\.test/

if (noPostgres !== null) process.exit(0)

const [first, ...others] = process.argv.slice(2)
const all = FOLDERS.flatMap(testsIn).filter(startsServer)
const files =
  first === undefined ? all : first === "--core" ? all.filter((file) => CORE.test(file)) : [first, ...others]
if (files.length === 0) throw new Error("there are no tests to run")

function testsIn(folder: string): string[] {
  return [...new Bun.Glob(`test/${folder}/**/*.test.ts`).scanSync(".")].sort()
}

function startsServer(file: string): boolean {
  return !ELSEWHERE.test(file) && /\b(?:startApp|openTestStore)\(/.test(readFileSync(file, "utf8"))
}

// One server for all of them.
const env = { ...process.env, ADBOOTH_TEST_ENGINE: "postgres", ...(await sharedServer()) }
const began = performance.now()
const result = await runTests({ batches: inBatches(files), env })
const seconds = Math.round((performance.now() - began) / 1_000)
process.stdout.write(`${summary(result)} (${files.length} test files on PostgreSQL in ${seconds} s)\n`)
process.exit(result.failed > 0 ? 1 : 0)
