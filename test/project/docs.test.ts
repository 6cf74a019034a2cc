import { describe, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { tryProgram } from "../harness/program.ts"
import { BLOCKS, PAGES, ROOT } from "./guides.ts"

/** Text without code blocks. */
const proseOf = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, "")

const slugOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .trim()
    .replaceAll(" ", "-")

describe("every link in the docs", () => {
  test("leads to a file that exists, and to a heading that it has", () => {
    const broken: string[] = []
    for (const [page, text] of PAGES) {
      for (const [, target = ""] of proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^[a-z]+:/.test(target) || target.startsWith("../../")) continue
        const [file = "", heading] = target.split("#")
        const path = file === "" ? page : normalize(join(dirname(page), file))
        const headings = [...(PAGES.get(path) ?? "").matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) => slugOf(title))
        const exists = existsSync(join(ROOT, path)) && (heading === undefined || headings.includes(heading))
        if (!exists) broken.push(`${page}: ${target}`)
      }
    }
    expect(broken).toEqual([])
  })
})

test("every file that ARCHITECTURE.md names exists", () => {
  const text = PAGES.get("ARCHITECTURE.md") ?? ""
  const folders = "domain|storage|actions|http|api|agent|app|cli|jobs|server|demo"
  const paths = [...text.matchAll(new RegExp(`\`((?:${folders}|migrations|test)/[^\`]*)\``, "g"))]
  const missing = paths.flatMap(([, path = ""]) => {
    const places = [path, `src/${path}`].map((place) => join(ROOT, place))
    return places.some((place) => existsSync(place)) ? [] : [path]
  })
  expect(missing).toEqual([])
  expect(paths.length).toBeGreaterThan(40)
})

test("every ADBOOTH_ variable in the docs is a setting", async () => {
  const settings = PAGES.get("docs/settings.md") ?? ""
  const others = ["ADBOOTH_KEY", "ADBOOTH_URL", "ADBOOTH_NAME"]
  const unknown = new Set<string>()
  for (const text of PAGES.values()) {
    for (const [name] of text.matchAll(/ADBOOTH_[A-Z_]+[A-Z]/g)) {
      const option = name
        .replace(/^ADBOOTH_/, "")
        .replace(/_FILE$/, "")
        .toLowerCase()
        .replaceAll("_", "-")
      const isKnown = settings.includes(`--${option}`) || settings.includes(name.replace(/_FILE$/, ""))
      if (!isKnown && !others.includes(name) && !name.startsWith("ADBOOTH_TEST_")) unknown.add(name)
    }
  }
  expect([...unknown]).toEqual([])
})

/** "adbooth key create --org SLUG" in code, without what a shell does with it. */
const commandsIn = (text: string): string[] =>
  [...text.matchAll(/(?:^|[`(\s])(?:sudo )?(?:adbooth|npm run -s adbooth --) ([a-z][^\n`|><;)#]*)/gm)].map(
    ([, command = ""]) => command.trim(),
  )

test("every command in the docs exists, with its options", async () => {
  const wrong: string[] = []
  const helps = new Map<string, Promise<string>>()
  const helpOf = (words: string) => {
    const known = helps.get(words) ?? tryProgram([...words.split(" "), "--help"]).then(({ output }) => output)
    helps.set(words, known)
    return known
  }
  for (const [page, text] of PAGES) {
    for (const command of commandsIn(text)) {
      const [first = "", second = ""] = command.split(/\s+/)
      const isGroup = ["key", "agent-key", "user", "line", "backup"].includes(first)
      const help = await helpOf(isGroup ? `${first} ${second}` : first)
      const options = command.match(/--[a-z][a-z-]*/g) ?? []
      if (!help.startsWith(`Usage: adbooth ${first}`)) wrong.push(`${page}: adbooth ${command}`)
      for (const option of options) if (!help.includes(option)) wrong.push(`${page}: ${option} of adbooth ${command}`)
    }
  }
  expect(wrong).toEqual([])
})

test("every example in JSON can be parsed", () => {
  const broken = BLOCKS.filter(({ language, text }) => {
    if (language !== "json") return false
    try {
      JSON.parse(text)
      return false
    } catch {
      return true
    }
  })
  expect(broken.map(({ page, text }) => `${page}: ${text.slice(0, 40)}`)).toEqual([])
})

// Words and openings of our own dialect, which english.md turns into plain English.
const DIALECT = [
  /(?:^|[.!?] )Of (?!course\b)[a-z]/,
  /\bwhoever\b/i,
  /\bis (?:said|told|asked about|read as|spoken of)\b/i,
  /\bis no (?!longer\b|more than\b|matter\b)[a-z]+/,
  /\b(?:those of|that of its|that of the)\b/i,
  /, (?:too|also)\b[.,]/,
  /\bnot any more\b/i,
  /\bshall\b/i,
  /\bthereof\b/i,
  /\bingest key\b/i,
]

test("the docs and the help of the program don't fall back into our dialect", async () => {
  const help = (await tryProgram(["serve", "--help"])).output
  const found: string[] = []
  for (const [page, text] of [...PAGES, ["adbooth serve --help", help] as const]) {
    for (const line of proseOf(text).split("\n"))
      for (const pattern of DIALECT) if (pattern.test(line)) found.push(`${page}: ${line.slice(0, 90)}`)
  }
  // The word list quotes what we don't write.
  expect(found.filter((line) => !line.startsWith("CONVENTIONS.md"))).toEqual([])
})
