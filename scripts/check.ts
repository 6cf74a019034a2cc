// npm run check: format, lint and types. Then prints how large the program is, which never fails.
import { Glob } from "bun"

const STEPS = [
  ["format and lint", ["node_modules/.bin/biome", "check", "--error-on-warnings"]],
  ["types", ["node_modules/.bin/tsc", "-p", "."]],
] as const

let isSound = true
for (const [name, command] of STEPS) {
  console.log(name)
  const { success } = Bun.spawnSync([...command], { stdio: ["ignore", "inherit", "inherit"] })
  isSound &&= success
}

const LINES_MAX = 300
const FILES_MAX = 15

/** A token is a word, a number, a text or a sign. */
const tokensIn = (text: string): number => text.match(/[A-Za-z_$][\w$]*|\d[\w.]*|"[^"\n]*"|[^\s\w]/g)?.length ?? 0

for (const root of ["src", "test"]) {
  const folders = new Map<string, number>()
  let tokens = 0
  let lines = 0
  for (const file of [...new Glob(`${root}/**/*.{ts,tsx,js,css}`).scanSync()].sort()) {
    const text = await Bun.file(file).text()
    const ofFile = text.split("\n").length - 1
    tokens += tokensIn(text)
    lines += ofFile
    const folder = file.slice(0, file.lastIndexOf("/"))
    folders.set(folder, (folders.get(folder) ?? 0) + 1)
    if (ofFile > LINES_MAX) console.log(`  ${file} has ${ofFile} lines`)
  }
  for (const [folder, files] of folders) if (files > FILES_MAX) console.log(`  ${folder} has ${files} files`)
  console.log(`${root}: ${lines} lines, ${tokens} tokens, ${(tokens / lines).toFixed(1)} a line`)
}
process.exit(isSound ? 0 : 1)
