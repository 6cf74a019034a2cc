// npm run build [-- --target NAME ... | --all]: compiles the executable for this machine into dist/adbooth, or for the named targets
// into dist/adbooth-NAME. Bun's runtimes for other machines are packages of the registry that `bun install` uses.

import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { dependencies } from "../package.json"

const TARGETS: Readonly<Record<string, string>> = {
  "linux-x64": "bun-linux-x64",
  "linux-arm64": "bun-linux-aarch64",
  "macos-x64": "bun-darwin-x64",
  "macos-arm64": "bun-darwin-aarch64",
  "windows-x64": "bun-windows-x64",
}

/** The targets asked for; none means this machine. A wrong wish is told in a sentence. */
function wanted(args: string[]): string[] {
  const known = Object.keys(TARGETS)
  try {
    const options = { all: { type: "boolean" }, target: { type: "string", multiple: true } } as const
    const { all, target = [] } = parseArgs({ args, options }).values
    const unknown = target.find((name) => !known.includes(name))
    if (unknown !== undefined) throw new Error(`There is no target "${unknown}"; there is ${known.join(", ")}.`)
    return all ? known : target
  } catch (cause) {
    process.stderr.write(`${cause instanceof Error ? cause.message : cause}\n`)
    process.exit(2)
  }
}

/** An archive of the source has no history. */
function commit(): string {
  const { success, stdout } = Bun.spawnSync(["git", "rev-parse", "--short=12", "HEAD"], { stderr: "ignore" })
  return success ? stdout.toString().trim() : "unknown"
}

/**
 * One letter beyond ASCII in all of the program doubles its size, on disk and in memory: the text then takes two bytes a letter. Bun
 * escapes those in strings; what is left is the name of an author in a comment.
 */
const asciiComments: Bun.BunPlugin = {
  name: "ascii-comments",
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/]otpauth[\\/].*\.js$/ }, async ({ path }) => {
      const text = await Bun.file(path).text()
      return {
        contents: text.replace(/^\/\/!.*$/gm, (line) => line.normalize("NFD").replace(/\p{M}/gu, "")),
        loader: "js",
      }
    })
  },
}

async function compile(outfile: string, options: { executablePath?: string; target?: string }): Promise<void> {
  const result = await Bun.build({
    // All but the first run in threads of their own.
    entrypoints: ["src/main.ts", "src/doors/http/workbook-thread.ts"],
    // Names are kept: shortening them breaks code that Elysia writes at run time.
    minify: { whitespace: true, syntax: true, identifiers: false },
    format: "esm",
    plugins: [asciiComments],
    // Half the start-up time. Bytecode belongs to one kind of machine, so only our own gets it. Deeper functions are
    // compiled when they are called: that costs nothing that can be felt, and the file is three megabytes smaller.
    define: { ADBOOTH_COMMIT: JSON.stringify(commit()) },
    bytecode: options.target === undefined,
    bytecodeDepth: 1,
    // In one file, what a part imports is loaded with all of it, also what only e-mail or metrics need.
    splitting: true,
    // The program configures itself; a stray .env or bunfig.toml in somebody's folder must not.
    compile: { outfile, autoloadDotenv: false, autoloadBunfig: false, ...options } as never,
  })
  if (!result.success) throw new AggregateError(result.logs, "the build failed")
  const { size } = Bun.file(outfile)
  process.stdout.write(`${outfile} (${(size / 1024 / 1024).toFixed(1)} MiB)\n`)
}

/** Fetches Bun's runtime for another machine as the package it is. */
async function foreignRuntime(target: string): Promise<{ path: string; folder: string }> {
  const name = `@oven/${target}`
  const folder = await mkdtemp(join(tmpdir(), "adbooth-runtime-"))
  await Bun.write(join(folder, "package.json"), JSON.stringify({ dependencies: { [name]: dependencies.bun } }))
  const [os = "", cpu = ""] = target.replace("bun-", "").split("-")
  const machine = [`--os=${os === "windows" ? "win32" : os}`, `--cpu=${cpu === "aarch64" ? "arm64" : cpu}`]
  const done = Bun.spawnSync([process.execPath, "install", "--no-save", ...machine], { cwd: folder })
  if (!done.success) throw new Error(`${name} cannot be fetched: ${done.stderr.toString()}`)
  const path = join(folder, "node_modules", name, "bin", os === "windows" ? "bun.exe" : "bun")
  await chmod(path, 0o755)
  return { path, folder }
}

async function buildFor(name: string): Promise<void> {
  const target = TARGETS[name] ?? ""
  const runtime = await foreignRuntime(target)
  try {
    const outfile = `dist/adbooth-${name}${name.startsWith("windows") ? ".exe" : ""}`
    await compile(outfile, { executablePath: runtime.path, target })
  } finally {
    await rm(runtime.folder, { recursive: true, force: true })
  }
}

await mkdir("dist", { recursive: true })
const names = wanted(process.argv.slice(2))
if (names.length === 0) await compile("dist/adbooth", {})
for (const name of names) await buildFor(name)
