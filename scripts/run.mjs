// Runs a file of this project with the version of Bun that the project pins, on a machine with only Node and npm or with only
// Bun. Installs the locked dependencies first if they are missing or old: with --light only what the program needs at run time.
// It's plain JavaScript, because it runs before anything is installed.
import { spawn, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
const bun = join(root, "node_modules", "bun", "bin", "bun.exe")
const stamp = join(root, "node_modules", ".adbooth-installed")
const isWindows = process.platform === "win32"

const isLight = process.argv[2] === "--light"
const command = process.argv.slice(isLight ? 3 : 2)

const digest = createHash("sha256")
for (const file of ["package.json", "bun.lock"]) digest.update(readFileSync(join(root, file)))
const wanted = digest.digest("hex")

const [installed, extent] = existsSync(stamp) && existsSync(bun) ? readFileSync(stamp, "utf8").split(" ") : []
const isWhole = installed !== undefined && extent === "whole"
// A checkout that has everything keeps everything.
const needsWhole = !isLight || isWhole
if (installed !== wanted || (needsWhole && !isWhole)) install()

function install() {
  const what = needsWhole ? "all dependencies" : "what the server needs"
  process.stderr.write(`Installing ${what} (once per checkout)...\n`)
  const [program, ...args] = process.versions.bun
    ? [process.execPath]
    : [isWindows ? "npx.cmd" : "npx", "--yes", `bun@${dependencies.bun}`]
  const production = needsWhole ? [] : ["--production"]
  const options = { cwd: root, stdio: ["ignore", "pipe", "pipe"], encoding: "utf8", shell: isWindows }
  const done = spawnSync(program, [...args, "install", "--frozen-lockfile", ...production], options)
  if (done.status !== 0 || !existsSync(bun)) {
    process.stderr.write(`${done.stdout ?? ""}${done.stderr ?? ""}${done.error?.message ?? ""}\n`)
    process.stderr.write("Couldn't install the dependencies: see above. Is the package registry reachable?\n")
    process.exit(1)
  }
  writeFileSync(stamp, `${wanted} ${needsWhole ? "whole" : "light"}`)
}

const child = spawn(bun, command, { cwd: root, stdio: "inherit" })
// Ctrl-C reaches all processes of the terminal, but a plain kill reaches only this one.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))
// If npm's shell dies of a signal, it doesn't pass the signal on.
const parent = process.ppid
setInterval(() => process.ppid === parent || child.kill("SIGTERM"), 500).unref()
child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 143)))
child.on("error", (cause) => {
  process.stderr.write(`Couldn't start the project's Bun: ${cause.message}\n`)
  process.exit(1)
})
