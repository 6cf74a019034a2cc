import { describe, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { Glob } from "bun"
import packageJson from "../package.json"
import { REFERENCE, settingsReference } from "../scripts/settings-reference.ts"
import { ALERT_KINDS } from "../src/domain/alerts/alert.ts"
import * as limits from "../src/domain/limits.ts"
import { runCommand } from "./doors/cli/in-process.ts"

// What the documentation names exists. Whether it says the right things about it is for people to judge.

const list = (...patterns: string[]) => patterns.flatMap((pattern) => [...new Glob(pattern).scanSync(".")]).sort()
const FILES = list(
  "src/**/*",
  "test/**/*",
  "scripts/**/*",
  "bench/**/*.*",
  "torture/**/*",
  "migrations/**/*",
  "*.*",
).filter((file) => !file.includes("node_modules"))
const DOCS = list("*.md", "docs/**/*.md", "bench/*.md", "deploy/*")
const TEXTS = await Promise.all(DOCS.map(async (file) => ({ file, text: await Bun.file(file).text() })))
const SOURCES = await Promise.all(
  list("src/**/*.ts", "src/**/*.tsx", "scripts/*.ts", "test/**/*.ts").map(async (file) => ({
    file,
    text: (await Bun.file(file).text()).replaceAll(/^import .*$|from "[^"]*"|import\("[^"]*"\)/gm, ""),
  })),
)

/** Every place where a pattern's first group names something that is not there. */
function missing(
  texts: readonly { readonly file: string; readonly text: string }[],
  pattern: RegExp,
  isThere: (name: string, file: string) => boolean,
): string[] {
  return texts.flatMap(({ file, text }) =>
    [...text.matchAll(pattern)].flatMap(([, name = ""]) => (isThere(name, file) ? [] : [`${file}: ${name}`])),
  )
}

describe("what the documentation names is there", () => {
  test("source files, by any end of their path", () => {
    const isThere = (name: string) => FILES.some((file) => file === name || file.endsWith(`/${name}`))
    expect(missing(TEXTS, /`([\w./-]+\.(?:tsx?|mjs))`/g, isThere)).toEqual([])
    expect(
      missing(TEXTS, /`((?:src|test|docs|scripts|bench|torture|deploy|migrations)\/[\w./-]+)`/g, existsSync),
    ).toEqual([])
    const inComments = SOURCES.map(({ file, text }) => ({
      file,
      text: (text.match(/^\s*(?:\/\/|\/?\*).*$|\/\*\*.*\*\//gm) ?? []).join("\n"),
    }))
    expect(missing(inComments, /(?<![\w*/.-])([\w-]+(?:\/[\w.-]+)*\.tsx?)\b/g, isThere)).toEqual([])
  })

  test("names in the code, and the files that have them, on the pages for maintainers", async () => {
    const pages = TEXTS.filter(({ file }) => /^(?:ARCHITECTURE|CONVENTIONS|CONTRIBUTING)\.md$/.test(file))
    const own = SOURCES.filter(({ file }) => file.startsWith("src/"))
    const words = new Set(own.flatMap(({ text }) => text.match(/\w+/g) ?? []))
    expect(missing(pages, /`(\w*[a-z][A-Z]\w*)[`(]/g, (name) => words.has(name))).toEqual([])
    const folder = /`((?:actions|doors|domain|jobs|postgres|server|sqlite|steps|storage)(?:\/[\w-]+)*)`/g
    expect(missing(pages, folder, (name) => own.some(({ file }) => file.includes(`/${name}/`)))).toEqual([])
    const named = (place: string) => {
      const [name = "", path = ""] = place.split(/` (?:in |\()`/)
      return own.some(({ file, text }) => file.endsWith(`/${path}`) && new RegExp(`\\b${name}\\b`).test(text))
    }
    expect(missing(pages, /`(\w+` (?:in |\()`[\w./-]+\.tsx?)`/g, named)).toEqual([])
  })

  test("links to other pages", () => {
    const isThere = (path: string, file: string) => existsSync(join(dirname(file), path))
    expect(missing(TEXTS, /\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)/g, isThere)).toEqual([])
  })

  test("scripts of npm", () => {
    expect(missing(TEXTS, /npm run (?:-s )?([\w:-]+)/g, (name) => name in packageJson.scripts)).toEqual([])
    const own = SOURCES.filter(({ file }) => !file.startsWith("test/"))
    expect(missing(own, /npm run ([\w-]+)/g, (name) => name in packageJson.scripts)).toEqual([])
  })

  test("commands of the program, and their options", async () => {
    const helps = new Map<string, string>()
    const helpOf = async (words: string) => {
      const known = helps.get(words)
      if (known !== undefined) return known
      const { out, err } = await runCommand([
        ...words.split(" ").filter(Boolean),
        words === "serve" ? "--help-all" : "--help",
      ])
      helps.set(words, out + err)
      return out + err
    }
    const wrong: string[] = []
    // In code: between backticks, and in lines of code blocks.
    const used = TEXTS.filter(({ file }) => file.endsWith(".md")).flatMap(({ file, text }) =>
      [...text.matchAll(/(?:`|^|\(|\/|\$\()adbooth ([a-z][a-z-]*)((?: [^`\n#|]*)?)/gm)].map((found) => ({
        file,
        found,
      })),
    )
    expect(used.length).toBeGreaterThan(30)
    for (const {
      file,
      found: [, command = "", rest = ""],
    } of used) {
      const verb = /^ ([a-z][a-z0-9-]*)/.exec(rest)?.[1] ?? ""
      const [usage = "", below = ""] = (await helpOf(command)).split("\nCommands:\n")
      const isBelow = usage.includes("<command>") || new RegExp(`^  ${verb}\\b`, "m").test(below.split("\n\n")[0] ?? "")
      const words = isBelow && verb !== "" ? `${command} ${verb}` : command
      const help = await helpOf(words)
      if (!help.includes(`Usage: adbooth ${words}`)) wrong.push(`${file}: adbooth ${words}`)
      // A command of one word may be only named.
      const required = rest.trim() === "" ? [] : (help.split("\n\n")[0]?.match(/(?<![[\w])--[a-z-]+(?= <)/g) ?? [])
      for (const option of required)
        if (!rest.includes(option)) wrong.push(`${file}: adbooth ${words} without ${option}`)
      for (const [option] of rest.matchAll(/(?<= |\[)--[a-z][a-z-]*/g)) {
        if (!help.includes(option)) wrong.push(`${file}: adbooth ${words} ${option}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test("settings from the environment", async () => {
    const { out } = await runCommand(["doctor", "--settings", "--json"])
    const known = new Set(
      Object.values(JSON.parse(out) as Record<string, { environment: string }>).map((each) => each.environment),
    )
    // Two are the caller's own in examples for integrators, and one stands for all of them.
    const others = ["ADBOOTH_URL", "ADBOOTH_KEY", "ADBOOTH_NAME"]
    const isKnown = (name: string) => known.has(name) || known.has(name.replace(/_FILE$/, ""))
    const isThere = (name: string) => isKnown(name) || others.includes(name) || name.startsWith("ADBOOTH_TEST_")
    expect(missing(TEXTS, /\b(ADBOOTH_[A-Z_]+)\b/g, isThere)).toEqual([])
  })
})

test("docs/settings.md is made from the settings: bun scripts/settings-reference.ts writes it", async () => {
  expect(await Bun.file(REFERENCE).text()).toBe(settingsReference())
})

test("pages, buttons and fields that a guide names, in italics, are called so in the app", () => {
  const guides = TEXTS.filter(({ file }) => /^docs\/[\w-]+\.md$/.test(file))
  const app = SOURCES.filter(({ file }) => file.startsWith("src/"))
  // A sentence in italics is an example.
  const named = /(?<![*\w])\*([A-Z][^*.\n]*)\*(?!\*)/g
  const isThere = (path: string) =>
    path.split(", ").every((name) => app.some(({ text }) => new RegExp(`["\`>]${name}\\b`).test(text)))
  expect(missing(guides, named, isThere)).toEqual([])
})

test("every alert is explained", async () => {
  const operations = await Bun.file("docs/operations.md").text()
  expect(ALERT_KINDS.filter((kind) => !operations.includes(`| \`${kind}\` |`))).toEqual([])
})

test("one name for one thing: API key, line and buyer's key, in guides, help and messages", async () => {
  const words = /\b(?:ingest|feed|agent) keys?\b|\bpackage lines?\b/i
  // Maintainers read the decisions, and what is in code is code.
  const guides = TEXTS.filter(({ file }) => /^(?:README|docs\/[\w-]+)\.md$/.test(file))
  const said = SOURCES.filter(({ file }) => file.startsWith("src/")).map(({ file, text }) => ({
    file,
    text: (text.match(/"[^"\n]*"|`[^`]*`|^[^/*{}]*[a-z] [a-z][^/*{}=]*$/gm) ?? []).join("\n"),
  }))
  expect(missing([...guides, ...said], new RegExp(`(${words.source})`, "gi"), () => false)).toEqual([])
})

describe("numbers that the guide for integrators promises are those of the program", () => {
  test.each([
    ["items of a request", limits.DELIVERY_ITEMS_MAX, `to ${limits.DELIVERY_ITEMS_MAX} items`],
    ["rows of a request", limits.AFFILIATE_ROWS_MAX, `up to ${limits.AFFILIATE_ROWS_MAX} rows`],
    [
      "requests a minute",
      limits.INGEST_REQUESTS_PER_MINUTE,
      `${limits.INGEST_REQUESTS_PER_MINUTE} requests in any ${limits.RATE_WINDOW_SECONDS} seconds`,
    ],
    ["the largest whole number", limits.WHOLE_NUMBER_MAX, `above ${limits.WHOLE_NUMBER_MAX}`],
    [
      "characters of a code and a slug",
      limits.AFFILIATE_CODE_CHARACTERS_MAX,
      `A code has 1 to ${limits.AFFILIATE_CODE_CHARACTERS_MAX} characters, a slug 1 to ${limits.AFFILIATE_SLUG_CHARACTERS_MAX}`,
    ],
    [
      "the largest value",
      limits.CONVERSION_VALUE_MAX,
      `${limits.CONVERSION_VALUE_MAX.toLocaleString("en")} with at most ${limits.CONVERSION_VALUE_DECIMALS_MAX} decimal places`,
    ],
  ])("%s: %d", async (_, __, promise) => {
    const pages = await Promise.all(["first-feed", "reasons"].map((name) => Bun.file(`docs/${name}.md`).text()))
    expect(pages.join(" ").replaceAll(/\s+/g, " ")).toContain(promise)
  })
})

test("maintainers read of every package of the program why it is there, and of no other", async () => {
  const page = await Bun.file("docs/maintainers/dependencies.md").text()
  const rows = page.split("\n").filter((line) => line.startsWith("| `"))
  const named = rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, name]) => name))
  expect(named.sort()).toEqual(Object.keys(packageJson.dependencies).sort())
})
