// npm test [-- FILES]: builds the executable that some tests try, runs every test, and closes with one line that counts them.
const built = Bun.spawnSync([process.execPath, "scripts/build.ts"], { stdio: ["ignore", "ignore", "inherit"] })
if (!built.success) process.exit(1)

const child = Bun.spawn([process.execPath, "test", "--timeout", "60000", ...process.argv.slice(2)], {
  stdio: ["ignore", "inherit", "pipe"],
  env: { ...process.env, FORCE_COLOR: process.stderr.isTTY ? "1" : "0" },
})

let tail = ""
const decoder = new TextDecoder()
for await (const chunk of child.stderr) {
  process.stderr.write(chunk)
  tail = (tail + decoder.decode(chunk, { stream: true })).slice(-4_000)
}

function count(what: string): number {
  const plain = Bun.stripANSI(tail)
  return Number(new RegExp(`^\\s*(\\d+) ${what}$`, "m").exec(plain)?.[1] ?? 0)
}

const code = await child.exited
const skipped = count("skip")
process.stdout.write(`${count("pass")} passed, ${count("fail")} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`)
process.exit(code)

// Makes this file a module, so that it may await.
export {}
