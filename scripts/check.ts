// npm run check: format, lint and types; then what is known against our dependencies, as advice.
const STEPS: readonly (readonly [string, readonly string[]])[] = [
  ["format and lint", ["node_modules/.bin/biome", "check", "--error-on-warnings"]],
  ["types", ["node_modules/.bin/tsc", "-p", "."]],
]

let failed = false
for (const [name, command] of STEPS) {
  process.stdout.write(`${name}\n`)
  const { success } = Bun.spawnSync([...command], { stdio: ["ignore", "inherit", "inherit"] })
  failed ||= !success
}

// Asking needs a network and changes without us, so that it never decides whether the project is sound.
process.stdout.write("known problems of dependencies (advice)\n")
const audit = Bun.spawnSync([process.execPath, "audit"], { stdio: ["ignore", "pipe", "pipe"], timeout: 30_000 })
const told = audit.stdout.toString().split("\n").slice(1).join("\n").trim()
process.stdout.write(told === "" ? "  could not be looked up from here\n" : `${told}\n`)
process.exit(failed ? 1 : 0)
