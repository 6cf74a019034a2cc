// Runs a file of this project on the Bun version that the project pins, wherever it is started from: a machine
// with only Node and npm, or one with only Bun. Installs the locked dependencies first when they are missing or old.
// It is plain JavaScript on purpose: it must run before anything is installed.
import { spawn, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
const pinned = manifest.devDependencies.bun
const bunBinary = join(root, "node_modules", "bun", "bin", "bun.exe")
const stamp = join(root, "node_modules", ".adbooth-installed")

function wanted() {
  const hash = createHash("sha256")
  for (const file of ["package.json", "bun.lock"]) hash.update(readFileSync(join(root, file)))
  return hash.digest("hex")
}

function installed() {
  return existsSync(bunBinary) && existsSync(stamp) && readFileSync(stamp, "utf8") === wanted()
}

function installer() {
  if (process.versions.bun) return [process.execPath]
  return process.platform === "win32" ? ["npx.cmd", "--yes", `bun@${pinned}`] : ["npx", "--yes", `bun@${pinned}`]
}

function install() {
  const [command, ...args] = installer()
  process.stderr.write("Installing dependencies (once per checkout)...\n")
  const done = spawnSync(command, [...args, "install", "--frozen-lockfile"], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    shell: process.platform === "win32",
  })
  if (done.status !== 0 || !existsSync(bunBinary)) {
    process.stderr.write(`${done.stdout ?? ""}${done.stderr ?? ""}${done.error?.message ?? ""}\n`)
    process.stderr.write(
      "The dependencies could not be installed; the lines above say why. Is the package registry reachable?\n",
    )
    process.exit(1)
  }
  writeFileSync(stamp, wanted())
}

if (!installed()) install()

const child = spawn(bunBinary, process.argv.slice(2), { cwd: root, stdio: "inherit" })
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
