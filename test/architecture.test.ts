import { describe, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { posix } from "node:path"
import { Glob } from "bun"
import type { Context } from "../src/actions/context.ts"

// What storage promises, one file for each noun. store.ts shows it whole.
const PORT = "src/storage/port"
// What rules ask and change tables with, and the tables themselves: the same on both engines.
const STEPS = "src/storage/steps"
const SCHEMA = "src/storage/schema"
// How data gets from one engine to another, in words that each engine fills.
const COPY = "src/storage/copy"
// How long work lets others be served.
const NEXT_TURN = "src/next-turn.ts"
// More than this takes more than one look.
const FILES_IN_A_FOLDER_MAX = 25

// Who may import whom. The first rule whose folder fits a file is its rule; a folder stands for everything below it.
const RULES: readonly {
  readonly folder: string
  readonly may: readonly string[]
  readonly packages: readonly string[]
}[] = [
  {
    folder: "src/domain",
    may: ["src/domain"],
    // The parts of the runtime here only compute: nothing is opened or asked.
    packages: ["@sinclair/typebox", "image-size", "otpauth", "node:crypto", "node:net", "node:zlib"],
  },
  {
    folder: "src/actions",
    may: ["src/domain", "src/actions", PORT, STEPS, NEXT_TURN],
    packages: ["@sinclair/typebox"],
  },
  { folder: COPY, may: ["src/domain", PORT, SCHEMA, COPY], packages: ["node:crypto"] },
  { folder: PORT, may: ["src/domain", PORT, STEPS], packages: [] },
  { folder: STEPS, may: ["src/domain", PORT, STEPS, SCHEMA, NEXT_TURN], packages: ["drizzle-orm"] },
  { folder: SCHEMA, may: ["src/domain", SCHEMA], packages: ["drizzle-orm"] },
  {
    folder: "src/storage/sqlite",
    may: ["src/domain", PORT, STEPS, SCHEMA, COPY, NEXT_TURN, "src/storage/sqlite", "src/files", "migrations/sqlite"],
    packages: ["bun:sqlite", "drizzle-orm", "node:crypto", "node:fs", "node:path", "node:stream", "node:zlib"],
  },
  {
    folder: "src/storage/postgres",
    may: ["src/domain", PORT, STEPS, SCHEMA, COPY, NEXT_TURN, "src/storage/postgres", "migrations/postgres"],
    packages: ["node:async_hooks", "node:crypto", "bun", "drizzle-orm"],
  },
  { folder: "src/files", may: ["src/domain", "src/files"], packages: ["node:fs", "node:path"] },
  {
    folder: "src/jobs",
    may: [
      "src/domain",
      "src/actions",
      PORT,
      "src/storage/open.ts",
      "src/files",
      "src/doors/http",
      "src/config.ts",
      "src/log/log.ts",
      "src/jobs",
    ],
    packages: ["*"],
  },
  { folder: "src/config.ts", may: ["src/domain", "src/files"], packages: ["*"] },
  { folder: "src/demo", may: ["src/domain", "src/actions", "src/demo"], packages: [] },
  ...["ingest", "agent", "web", "cli", "metrics"].map((door) => ({
    folder: `src/doors/${door}`,
    may: [
      "src/domain",
      "src/actions",
      PORT,
      "src/doors/http",
      `src/doors/${door}`,
      "src/files",
      "src/config.ts",
      "src/log/log.ts",
      NEXT_TURN,
      // The program's own version, and files of packages that are embedded as they are.
      "package.json",
      "node_modules",
      // The guides, which are served as they are.
      "docs",
      "CHANGELOG.md",
    ],
    packages: ["*"],
  })),
  {
    folder: "src/doors/http",
    may: [
      "src/domain",
      "src/actions",
      PORT,
      "src/files",
      "src/doors/http",
      "src/config.ts",
      "src/log/log.ts",
      NEXT_TURN,
    ],
    packages: ["*"],
  },
]

// Words with one home each.
const HOMES: readonly { readonly word: RegExp; readonly home: readonly string[]; readonly what: string }[] = [
  { word: /\bprocess\.(env|argv|exit|on|once)\b/, home: ["src/main.ts"], what: "the process" },
  {
    word: /\bwriteSync\b|\bprocess\.(stdout|stderr)\b|\bconsole\.|\bBun\.(stdout|stderr)\b/,
    // The last one writes a file again that is there already.
    home: ["src/doors/cli/write-fully.ts", "src/main.ts", "src/files/durable.ts"],
    what: "standard output",
  },
  {
    word: /\b(openSync|mkdtemp(Sync)?|writeFile(Sync)?|appendFile(Sync)?|copyFile(Sync)?|symlink(Sync)?|createWriteStream|Bun\.write)\b|\bopen\b[^}]*\} from "node:fs/,
    home: ["src/files/"],
    what: "making files",
  },
  { word: /"@modelcontextprotocol\/sdk/, home: ["src/doors/agent/mcp.ts"], what: "the MCP SDK" },
  { word: /"bun:sqlite"/, home: ["src/storage/sqlite/", "src/server/versions.ts"], what: "SQLite" },
  { word: /\bSQL\b[^}]*\} from "bun"|\bBun\.(?:SQL|sql)\b/, home: ["src/storage/postgres/"], what: "PostgreSQL" },
  { word: /\bBun\.password\b/, home: ["src/actions/people/hash-password.ts"], what: "the hashing of passwords" },
  {
    word: /\.set\(\{[^}]*passwordHash/,
    home: ["src/actions/people/passwords.ts"],
    what: "the change of a password",
  },
  {
    word: /\bDate\.now\(\)|\bcrypto\.getRandomValues|\bMath\.random\(\)/,
    home: ["src/main.ts"],
    what: "time and chance",
  },
]

// Numbers that people type are read by domain/text/typed-number.ts alone: whoever calls Number() on them guesses. What these files
// turn into numbers was written by a program of ours, or by the protocol.
const READS_NUMBERS: Readonly<Record<string, string>> = {
  "src/doors/agent/mcp.ts": "ids of pending calls that we made",
  "src/doors/agent/rpc.ts": "whether the digits of an id are the number that was parsed",
  "src/doors/cli/commands/report.ts": "an exit code of ours",
  "src/doors/cli/report/server.ts": "Retry-After",
  "src/doors/http/request.ts": "Content-Length",
  "src/doors/http/workbook-thread.ts": "the row in the address of a cell",
  "src/doors/metrics/measures.ts": "a flag as 0 or 1",
  "src/doors/web/affiliates/figures.tsx": "exact sums, for a chart",
  "src/doors/web/operator/catalogue/prices.tsx": "the row in a pointer of a complaint",
  "src/doors/web/parts/table.tsx": "the place in an address",
  "src/doors/web/visit.ts": "the id in an address",
}

interface Source {
  readonly path: string
  readonly text: string
  readonly imports: readonly string[]
}

const IMPORT = /^(?:(?:import|export|\})[^"\n]*\bfrom |import )"([^"\n]+)"|\bimport\("([^"\n]+)"/gm
const sources: Source[] = []
for (const path of [...new Glob("src/**/*.{ts,tsx}").scanSync(".")].sort()) {
  const text = await Bun.file(path).text()
  const imports = [...text.matchAll(IMPORT)].map(([, name, dynamic]) => name ?? dynamic ?? "")
  sources.push({ path, text, imports })
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`)
}

function forbidden({ path, imports }: Source): string[] {
  const rule = RULES.find(({ folder }) => isWithin(path, folder))
  if (rule === undefined) return []
  return imports.flatMap((name) => {
    const allowed = name.startsWith(".")
      ? rule.may.some((folder) => isWithin(posix.join(posix.dirname(path), name), folder))
      : rule.packages.some((one) => one === "*" || isWithin(name, one))
    return allowed ? [] : [`${path} may not import ${name}`]
  })
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, "")
}

describe("the architecture is visible in the folders", () => {
  test("there are sources to look at", () => {
    expect(sources.length).toBeGreaterThan(50)
  })

  test("nothing lies at the root but the process, its settings and its turns, and no folder takes more than one look", () => {
    const folders = Map.groupBy(sources, ({ path }) => posix.dirname(path))
    expect(folders.get("src")?.map(({ path }) => path)).toEqual(["src/config.ts", "src/main.ts", NEXT_TURN])
    const crowded = [...folders].filter(([, files]) => files.length > FILES_IN_A_FOLDER_MAX)
    expect(crowded.map(([folder]) => folder)).toEqual([])
  })

  test("nouns, verbs, memory and doors import only what their rule allows", () => {
    expect(sources.flatMap(forbidden)).toEqual([])
  })

  test.each(HOMES)("$what has one home", ({ word, home }) => {
    const elsewhere = sources.filter(({ path, text }) => word.test(text) && !home.some((one) => path.startsWith(one)))
    expect(elsewhere.map(({ path }) => path)).toEqual([])
  })

  test("only actions write and read secrets: nobody else imports those parts of the port", () => {
    const isAllowed = /^src\/(?:actions|storage)\//
    const asks = /^import\b[^"]*\b(?:writesOf|transact|query|Store|StoreSecrets|\w+Writes)\b[^"]*\bfrom "/m
    const found = sources.filter(({ path, text }) => !isAllowed.test(path) && asks.test(text))
    expect(found.map(({ path }) => path)).toEqual([])
    // The compiler's part of this test: what a door holds has no such methods.
    // @ts-expect-error
    const write = ({ store }: Context) => store.campaigns.editLine
    // @ts-expect-error
    const secrets = ({ store }: Context) => store.query
    expect([write, secrets]).toHaveLength(2)
  })

  test("one file knows the engines: nobody else imports what is in their folders", () => {
    const found = sources.flatMap(({ path, imports }) =>
      imports
        .map((name) => posix.join(posix.dirname(path), name))
        .filter(
          (name) => /^src\/storage\/(?:sqlite|postgres)\//.test(name) && !/^src\/storage\/(?!port|copy)/.test(path),
        )
        .map((name) => `${path} may import ${name}`),
    )
    expect(found).toEqual([])
  })

  test("each file of an engine opens with its promise, and with tests that hold it", async () => {
    const opening = /^\/\/ Promise: .+\n\/\/ Held by (.+)\.\n/
    const engine = sources.filter(({ path }) => /^src\/storage\/\w+\/engine\//.test(path))
    const missing = engine.filter(({ text }) => {
      const tests = opening.exec(text)?.[1]?.split(" and ") ?? [""]
      return !tests.every((path) => path.startsWith("test/") && existsSync(path))
    })
    expect(missing.map(({ path }) => path)).toEqual([])
  })

  test("rules are written once, as steps beside their verbs: no engine decides", () => {
    const decides =
      /(?<!\[)"(?:not found|changed|last admin|last operator|last line|has figures|in use|other address)"|\bisStale\(/
    const found = sources.filter(
      ({ path, text }) => /^src\/storage\/(?:sqlite|postgres)\//.test(path) && decides.test(text),
    )
    expect(found.map(({ path }) => path)).toEqual([])
  })

  test("a writing step lives with its verb: what storage shares only reads", () => {
    // An import and the closing of days are SQL for many rows; the audit trail belongs to every verb.
    const allowed = ["audit.ts", "import.ts", "line-days.ts"]
    const writes = /yield\* exec\(|\bdb\s*\.(?:insert|update|delete)\(|\b(?:INSERT INTO|UPDATE \w+ SET|DELETE FROM)\b/
    const found = sources.filter(
      ({ path, text }) => posix.dirname(path) === STEPS && writes.test(withoutComments(text)),
    )
    expect(found.map(({ path }) => posix.basename(path))).toEqual(allowed)
  })

  test("no step is begun and not run: each is yielded, returned or handed on", () => {
    const names = sources.flatMap(({ text }) => [...text.matchAll(/function\* (\w+)/g)].map(([, name]) => name))
    const lost = new RegExp(
      `(?:[{};)\\w"'\`\\]]\\s*\\n\\s*|\\)\\s|else\\s)(?<!return\\s|\\bcase\\s)(?:${names.join("|")})\\(`,
    )
    const found = sources.filter(
      ({ path, text }) => /^src\/(?:actions|storage\/steps)\//.test(path) && lost.test(withoutComments(text)),
    )
    expect(names.length).toBeGreaterThan(20)
    expect(found.map(({ path }) => path)).toEqual([])
  })

  test("numbers that people type are read in one place", () => {
    const isOutside = (path: string) => /^src\/(?:doors|actions|config\.ts)/.test(path)
    const reads = /(?<![\w.])(?:Number\(|parseFloat\b|parseInt\b|Number\.parse)|[=(,?:]\s*\+[a-z]/
    const found = sources.filter(({ path, text }) => isOutside(path) && reads.test(withoutComments(text)))
    expect(found.map(({ path }) => path)).toEqual(Object.keys(READS_NUMBERS).sort())
  })

  test("no page and no command formats a time by itself, or cuts its Z off", () => {
    // Names of days, months and flights are dates, which have no zone.
    const isDate = (path: string) => /web\/parts\/format\.tsx|home\/needs-list\.tsx/.test(path)
    const formats = /DateTimeFormat|formatMoment\([^)]*\)\.slice/
    const isOutside = (path: string) => /^src\/(?:doors|actions)/.test(path) && !isDate(path)
    const found = sources.filter(({ path, text }) => isOutside(path) && formats.test(text))
    expect(found.map(({ path }) => path)).toEqual([])
  })

  test("no two files need each other, by whatever way", () => {
    const importedBy = new Map(
      sources.map(({ path, imports }) => [path, imports.map((name) => posix.join(posix.dirname(path), name))]),
    )
    // Files that import none of the others are taken away until there are none: what is left leads into a circle.
    let left = [...importedBy.keys()]
    for (let before = 0; before !== left.length; ) {
      before = left.length
      left = left.filter((path) => importedBy.get(path)?.some((name) => left.includes(name)))
    }
    // Files that none of the others import are taken away the same way: what is left is in a circle, or between two.
    for (let before = 0; before !== left.length; ) {
      before = left.length
      left = left.filter((path) => left.some((other) => importedBy.get(other)?.includes(path)))
    }
    expect(left).toEqual([])
  })

  test("no file is dead: each is imported by another, or is where the program starts", () => {
    const imported = new Set(
      sources.flatMap(({ path, imports }) =>
        imports.filter((name) => name.startsWith(".")).map((name) => posix.join(posix.dirname(path), name)),
      ),
    )
    // The tables of replicas are there for scripts/migrations.ts.
    const starts = new Set(["src/main.ts", "src/storage/postgres/replica-tables.ts"])
    const dead = sources.map(({ path }) => path).filter((path) => !starts.has(path) && !imported.has(path))
    expect(dead).toEqual([])
  })

  test("nothing is left over: no FIXME, no skipped or lonely test", async () => {
    const found: string[] = []
    for (const path of new Glob("{src,test}/**/*.{ts,tsx}").scanSync(".")) {
      if (path === "test/architecture.test.ts") continue
      if (/FIXME|XXX(?!")|(?:test|describe)\.(?:only|skip|todo)\b/.test(await Bun.file(path).text())) found.push(path)
    }
    expect(found).toEqual([])
  })

  test("the storage contract knows no engine, by whatever it imports", async () => {
    // Only this one says which there are.
    const reached = new Set(["test/storage/contract/contract.ts"])
    const packages = new Set<string>()
    const reach = async (path: string): Promise<void> => {
      if (reached.has(path)) return
      reached.add(path)
      for (const [, name, dynamic] of (await Bun.file(path).text()).matchAll(IMPORT)) {
        const imported = name ?? dynamic ?? ""
        if (imported.startsWith(".")) await reach(posix.join(posix.dirname(path), imported))
        else packages.add(imported)
      }
    }
    for (const path of new Glob("test/storage/contract/*.ts").scanSync(".")) await reach(path)
    expect([...reached].filter((path) => path.startsWith("test/storage/contract/")).length).toBeGreaterThan(10)
    const engines =
      /^(?:src\/storage\/(?!(?:port|steps|schema)\/)|migrations\/|test\/(?:harness|storage\/(?!contract\/)))/
    expect([...reached].filter((path) => engines.test(path))).toEqual([])
    expect([...packages].filter((name) => /^(?:bun(?!:test)|drizzle-orm\/bun|pg|postgres)/.test(name))).toEqual([])
  })

  test.each(["sqlite", "postgres"])("every migration of %s is carried by the executable", async (engine) => {
    const { migrations } = (await import(`../migrations/${engine}/index.ts`)) as { migrations: { name: string }[] }
    const files = [...new Glob("*.sql").scanSync(`migrations/${engine}`)].sort()
    expect(migrations.map(({ name }) => `${name}.sql`)).toEqual(files)
  })

  test("text in PostgreSQL compares byte by byte, and no table is bound to one schema", async () => {
    const { migrations } = await import("../migrations/postgres/index.ts")
    const text = migrations.map(({ sql }) => sql).join("\n")
    expect(text.match(/" text COLLATE "C"/g)?.length).toBeGreaterThan(50)
    expect(text.match(/" text(?! COLLATE)/g)).toBeNull()
    expect(text).not.toContain('"public"')
  })

  test("every table is STRICT", async () => {
    const { migrations } = await import("../migrations/sqlite/index.ts")
    const tables = migrations.flatMap(({ sql }) => [...sql.matchAll(/CREATE TABLE `(\w+)` \([\s\S]*?\n\)([^;]*);/g)])
    expect(tables.length).toBeGreaterThan(15)
    expect(tables.filter(([, , options]) => !options?.includes("STRICT")).map(([, name]) => name)).toEqual([])
  })
})
