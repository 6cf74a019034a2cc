import { describe, expect, test } from "bun:test"
import { dirname, join, normalize } from "node:path"
import { Glob } from "bun"

const WAYS_IN = ["api", "agent", "app", "cli"]

/** What each folder of src may import besides itself and the files that everybody may import. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  storage: ["domain"],
  actions: ["domain", "storage"],
  http: ["domain"],
  api: ["domain", "actions", "storage", "http"],
  agent: ["domain", "actions", "storage", "http"],
  app: ["domain", "actions", "storage", "http"],
  cli: ["domain", "actions", "storage", "http"],
  jobs: ["domain", "actions", "storage", "http"],
  demo: ["domain", "actions", "storage"],
}

/** Small files without a folder, for everybody but the domain. `config.ts` and `main.ts` put the program together. */
const FOR_EVERYBODY = ["config.ts", "files.ts", "log.ts", "within.ts"]

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b[^"'\n]*?(?:\n[^"'\n]*)*?from\s+"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)|^import\s+"([^"]+)"/gm

interface Import {
  readonly from: string
  readonly to: string
  /** Types are gone when the program runs. */
  readonly isType: boolean
}

const files = [...new Glob("src/**/*.{ts,tsx}").scanSync()].sort()
const imports = await importsOf(files)

async function importsOf(paths: readonly string[]): Promise<Import[]> {
  const found: Import[] = []
  for (const from of paths) {
    const text = await Bun.file(from).text()
    for (const match of text.matchAll(IMPORT)) {
      const target = match[1] ?? match[2] ?? match[3] ?? ""
      if (!target.startsWith(".")) continue
      const isType = /^\s*(?:import|export)\s+type\b/.test(match[0].trimStart())
      found.push({ from, to: normalize(join(dirname(from), target)), isType })
    }
  }
  return found
}

const folderOf = (path: string): string => path.split("/")[1] ?? ""

describe("imports of src", () => {
  test("follow the table of folders", () => {
    const wrong = imports.filter(({ from, to }) => {
      const [folder, other] = [folderOf(from), folderOf(to)]
      const allowed = MAY_IMPORT[folder]
      if (allowed === undefined || other === folder || !to.startsWith("src/")) return false
      return !(allowed.includes(other) || (folder !== "domain" && FOR_EVERYBODY.includes(other)))
    })
    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([])
  })

  test("the ways in never import each other", () => {
    const crossing = imports.filter(({ from, to }) => {
      const [way, other] = [folderOf(from), folderOf(to)]
      return WAYS_IN.includes(way) && WAYS_IN.includes(other) && way !== other
    })
    expect(crossing).toEqual([])
  })

  test("only actions, jobs and storage start transactions that write", async () => {
    const writers: string[] = []
    for (const file of files) {
      if (["actions", "jobs", "storage"].includes(folderOf(file))) continue
      if (/\.transact(Report|Beside|Alone)?\(/.test(await Bun.file(file).text())) writers.push(file)
    }
    expect(writers).toEqual([])
  })

  test("have no circles", () => {
    const targets = new Map<string, string[]>()
    for (const { from, to, isType } of imports) if (!isType) targets.set(from, [...(targets.get(from) ?? []), to])
    const done = new Set<string>()
    const circles: string[] = []
    function visit(file: string, path: readonly string[]): void {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(" -> "))
      if (done.has(file) || path.includes(file)) return
      for (const next of targets.get(file) ?? []) visit(next, [...path, file])
      done.add(file)
    }
    for (const file of files) visit(file, [])
    expect(circles).toEqual([])
  })

  test("reach every file", () => {
    const imported = new Set(imports.map(({ to }) => to))
    // The second one runs in a thread of its own.
    const starts = ["src/main.ts", "src/http/workbook-thread.ts"]
    expect(files.filter((file) => !imported.has(file) && !starts.includes(file))).toEqual([])
  })
})

test("tests come from outside: only the harness and the tests of rules and storage import src", async () => {
  const tests = [...new Glob("test/**/*.ts").scanSync()]
  const inside = (await importsOf(tests)).filter(({ from, to }) => {
    const folder = folderOf(from)
    return to.startsWith("src/") && !["harness", "domain", "storage"].includes(folder)
  })
  expect([...new Set(inside.map(({ from }) => from))].sort()).toEqual([])
})
