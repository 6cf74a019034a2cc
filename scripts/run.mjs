// Runs a file of this project on the Bun version that the project pins, wherever it is started from: a machine
// with only Node and npm, or one with only Bun. Installs the locked dependencies first when they are missing or old:
// with --light only what the program itself needs, otherwise also what tests and tools do.
// It is plain JavaScript on purpose: it must run before anything is installed.
import { spawn, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
const pinned = manifest.dependencies.bun
const bunBinary = join(root, "node_modules", "bun", "bin", "bun.exe")
const stamp = join(root, "node_modules", ".adbooth-installed")
const isWindows = process.platform === "win32"

const isLight = process.argv[2] === "--light"
const command = process.argv.slice(isLight ? 3 : 2)

/** What a tool does and takes: the comment that its file begins with. */
function usageOf(file) {
  const [comment] = /^(?:\/\/.*\n)*/.exec(readFileSync(join(root, file), "utf8"))
  return comment.replaceAll(/^\/\/ ?/gm, "")
}

// The program has a help of its own.
if (command[0] !== undefined && !command.includes("src/main.ts") && command.includes("--help")) {
  process.stdout.write(usageOf(command[0]))
  process.exit(0)
}

function wanted() {
  const hash = createHash("sha256")
  for (const file of ["package.json", "bun.lock"]) hash.update(readFileSync(join(root, file)))
  return hash.digest("hex")
}

/** The checksum that everything, or only what the program needs, was installed for. */
function installed() {
  const [checksum, extent] = existsSync(stamp) && existsSync(bunBinary) ? readFileSync(stamp, "utf8").split(" ") : []
  return { checksum, isWhole: checksum !== undefined && extent !== "light" }
}

function installer() {
  if (process.versions.bun) return [process.execPath]
  return [isWindows ? "npx.cmd" : "npx", "--yes", `bun@${pinned}`]
}

function tryRunning([program, ...args]) {
  return spawnSync(program, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    shell: isWindows,
  })
}

function install(extent) {
  const done = tryRunning([...installer(), "install", "--frozen-lockfile", ...extent])
  if (done.status === 0 && existsSync(bunBinary)) return
  process.stderr.write(`${done.stdout ?? ""}${done.stderr ?? ""}${done.error?.message ?? ""}\n`)
  process.stderr.write(
    "The dependencies could not be installed; the lines above say why. Is the package registry reachable?\n",
  )
  process.exit(1)
}

function installFor(checksum, isWhole) {
  process.stderr.write("Installing dependencies (once per checkout)...\n")
  install(isWhole ? [] : ["--production"])
  writeFileSync(stamp, isWhole ? checksum : `${checksum} light`)
}

const checksum = wanted()
const found = installed()
// What was whole stays whole.
const needsWhole = !isLight || found.isWhole
if (found.checksum !== checksum || (needsWhole && !found.isWhole)) installFor(checksum, needsWhole)

const child = spawn(bunBinary, command, { cwd: root, stdio: "inherit" })
// Ctrl-C reaches the whole process group, a plain kill only this process: signals are handed on, and getting one twice is harmless.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))
// npm's shell dies of a signal without handing it on; whoever lost its parent has been told to stop.
const parent = process.ppid
setInterval(() => process.ppid === parent || child.kill("SIGTERM"), 500).unref()
child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 143)))
child.on("error", (error) => {
  process.stderr.write(`The project's Bun could not be started: ${error.message}\n`)
  process.exit(1)
})
