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
process.exit(failed ? 1 : 0)
