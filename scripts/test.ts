// npm test [-- FILES] [OPTIONS of bun test]: builds the executable that some tests try, runs every test, or those in files whose path
// contains one of FILES, and closes with one line that counts them.
import { readFileSync } from "node:fs"
import { noPostgres, sharedServer } from "../test/storage/postgres/server.ts"
import { inBatches, runTests, summary } from "./test-runner.ts"

function isNamed(file: string, names: readonly string[]): boolean {
  return names.length === 0 || names.some((name) => file.includes(name.replace(/^\.\//, "")))
}

const built = Bun.spawnSync([process.execPath, "scripts/build.ts"], { stdio: ["ignore", "ignore", "inherit"] })
if (!built.success) process.exit(1)

const words = process.argv.slice(2)
const optionsAt = words.findIndex((word) => word.startsWith("-"))
const [names, options] = optionsAt < 0 ? [words, []] : [words.slice(0, optionsAt), words.slice(optionsAt)]
const files = [...new Bun.Glob("test/**/*.test.ts").scanSync(".")].filter((file) => isNamed(file, names)).sort()
if (files.length === 0) throw new Error(`No test file has "${names.join('" or "')}" in its path.`)

// One PostgreSQL for all processes; without it each would start its own.
const needsPostgres = noPostgres === null && files.some((file) => readFileSync(file, "utf8").includes("postgres"))
const env = { ...process.env, ...(needsPostgres && (await sharedServer())) }
// With -t most files have no test to run.
const given = options.length > 0 ? [...options, "--pass-with-no-tests"] : []
const result = await runTests({ batches: inBatches(files), env, options: given })
process.stdout.write(`${summary(result)}\n`)
process.exit(result.failed > 0 || result.passed === 0 ? 1 : 0)
