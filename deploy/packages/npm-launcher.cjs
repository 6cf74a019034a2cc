#!/usr/bin/env node
// Starts the executable that the package for this platform carries. Arguments, standard streams, signals and the exit code go through.
const { spawn } = require("node:child_process")

const platform = `${process.platform}-${process.arch}`

function find() {
  try {
    return require.resolve(`@adbooth/${platform}/bin/adbooth${process.platform === "win32" ? ".exe" : ""}`)
  } catch {
    process.stderr.write(
      `There is no executable for ${platform}. Either Adbooth has none for this platform, or npm was told to leave out optional packages.\n`,
    )
    process.exit(1)
  }
}

const child = spawn(find(), process.argv.slice(2), { stdio: "inherit" })
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))
// The shell that npx starts dies of a signal without handing it on.
if (process.env.npm_command === "exec") {
  const parent = process.ppid
  setInterval(() => process.ppid === parent || child.kill("SIGTERM"), 500).unref()
}
child.on("error", (error) => {
  process.stderr.write(`The executable could not be started: ${error.message}\n`)
  process.exit(1)
})
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code)
  // Ends the same way as the executable did.
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})
