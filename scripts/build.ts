// npm run build [-- --target NAME...]: compiles the executable for this machine into dist/adbooth, or for other machines into
// dist/adbooth-NAME. Bun's runtimes for other machines are packages of the registry.
import { chmodSync, mkdirSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { dependencies } from "../package.json"

export const TARGETS = {
  "linux-x64": { runtime: "bun-linux-x64", os: "linux", cpu: "x64" },
  "linux-arm64": { runtime: "bun-linux-aarch64", os: "linux", cpu: "arm64" },
  "macos-arm64": { runtime: "bun-darwin-aarch64", os: "darwin", cpu: "arm64" },
} as const

type TargetName = keyof typeof TARGETS

const isTarget = (name: string): name is TargetName => name in TARGETS

/** A source archive has no history. */
function commit(): string {
  const { success, stdout } = Bun.spawnSync(["git", "rev-parse", "--short=12", "HEAD"], { stderr: "ignore" })
  return success ? stdout.toString().trim() : "unknown"
}

/**
 * A single letter beyond ASCII doubles the size of the whole program, because the text then takes two bytes a letter. Bun escapes
 * those in strings, so only comments of packages are left.
 */
const asciiComments: Bun.BunPlugin = {
  name: "ascii-comments",
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/]otpauth[\\/].*\.js$/ }, async ({ path }) => {
      const text = await Bun.file(path).text()
      const plain = (line: string) => line.normalize("NFD").replace(/\p{M}/gu, "")
      return { contents: text.replace(/^\/\/!.*$/gm, plain), loader: "js" }
    })
  },
}

/** Compiles the executable for this machine, or around another machine's runtime. */
export async function compile(
  outfile: string,
  foreign: { executablePath?: string; target?: string } = {},
): Promise<void> {
  const result = await Bun.build({
    // The second one runs in threads of its own.
    entrypoints: ["src/main.ts", "src/http/workbook-thread.ts"],
    // Shorter names would break code that Elysia writes at run time.
    minify: { whitespace: true, syntax: true, identifiers: false },
    format: "esm",
    plugins: [asciiComments],
    define: { ADBOOTH_COMMIT: JSON.stringify(commit()) },
    // Bytecode halves the time to start, but belongs to one kind of machine.
    bytecode: foreign.target === undefined,
    bytecodeDepth: 1,
    // What only mail or metrics need is loaded when it's first used.
    splitting: true,
    // A stray .env or bunfig.toml in somebody's folder must not configure the program.
    compile: { outfile, autoloadDotenv: false, autoloadBunfig: false, ...foreign } as never,
  })
  if (!result.success) throw new AggregateError(result.logs, "The build failed.")
}

const announce = (outfile: string) =>
  console.log(`${outfile} (${(Bun.file(outfile).size / 1024 / 1024).toFixed(1)} MiB)`)

/** Fetches Bun's runtime for another machine. */
async function runtimeOf({ runtime, os, cpu }: (typeof TARGETS)[TargetName]): Promise<string> {
  const name = `@oven/${runtime}`
  const folder = mkdtempSync(join(tmpdir(), "adbooth-runtime-"))
  await Bun.write(join(folder, "package.json"), JSON.stringify({ dependencies: { [name]: dependencies.bun } }))
  const command = [process.execPath, "install", "--no-save", `--os=${os}`, `--cpu=${cpu}`]
  const { success, stderr } = Bun.spawnSync(command, { cwd: folder })
  if (!success) throw new Error(`Couldn't fetch ${name}: ${stderr.toString()}`)
  const path = join(folder, "node_modules", name, "bin", "bun")
  chmodSync(path, 0o755)
  return path
}

/** Compiles for another machine and returns the path of the executable. */
export async function buildFor(name: TargetName): Promise<string> {
  const target = TARGETS[name]
  const outfile = `dist/adbooth-${name}`
  await compile(outfile, { executablePath: await runtimeOf(target), target: target.runtime })
  return outfile
}

if (import.meta.main) {
  const { target = [] } = parseArgs({ options: { target: { type: "string", multiple: true } } }).values
  const unknown = target.find((name) => !isTarget(name))
  if (unknown !== undefined) {
    console.error(`Unknown target "${unknown}". Known targets: ${Object.keys(TARGETS).join(", ")}.`)
    process.exit(2)
  }
  mkdirSync("dist", { recursive: true })
  if (target.length === 0) {
    await compile("dist/adbooth")
    announce("dist/adbooth")
  }
  for (const name of target.filter(isTarget)) announce(await buildFor(name))
}
