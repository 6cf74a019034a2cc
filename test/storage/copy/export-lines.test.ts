import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import fc from "fast-check"
import type { StoragePlace } from "../../../src/config.ts"
import { type Cell, toLines } from "../../../src/storage/copy/copy-text.ts"
import { move, readEverything } from "../../../src/storage/open.ts"
import { tableShapes } from "../../../src/storage/sqlite/copy/shapes.ts"
import { temporaryFolder } from "../../harness.ts"
import { emptyDatabase, noPostgres } from "../postgres/server.ts"
import { contentOf, fill, randomContent } from "./random-content.ts"

const at = (data: string, databaseUrl: string | null = null): StoragePlace => ({
  data,
  databaseUrl,
  databaseUrlFile: null,
  backupDir: null,
})

/** The rows of every table, as a copy has them. */
async function exported(place: StoragePlace): Promise<Record<string, string>> {
  await using everything = await readEverything(place)
  let text = ""
  for await (const part of everything.jsonLines()) text += part
  const [, ...lines] = text.trimEnd().split("\n")
  expect(JSON.parse(lines.pop() ?? "")).toEqual({ end: { rows: lines.length } })
  const content = Object.fromEntries(tableShapes().map(({ name }) => [name, ""]))
  for (const [[name = "", row] = []] of lines.map((line) => Object.entries<Record<string, Cell>>(JSON.parse(line))))
    content[name] += toLines([Object.values(row ?? {})])
  return content
}

/** Nobody is signed in to a copy, and no open link works. */
const SIGN_INS = { session: "", one_time_link: "" }

describe("an export of everything", () => {
  test("of anything at all has every row of every table as it is stored", async () => {
    await fc.assert(
      fc.asyncProperty(randomContent, async (content) => {
        using folder = temporaryFolder()
        await fill(folder.path, content)
        expect(await exported(at(folder.path))).toEqual({ ...(await contentOf(folder.path)), ...SIGN_INS })
      }),
      { numRuns: 20 },
    )
  }, 180_000)

  test.if(noPostgres === null)(
    "is the same from PostgreSQL",
    async () => {
      await fc.assert(
        fc.asyncProperty(randomContent, async (content) => {
          using folder = temporaryFolder()
          await using database = await emptyDatabase()
          const from = join(folder.path, "from")
          await fill(from, content)
          const here = await exported(at(from))
          await move(from, database.url, { waitUntilFree: async () => expect.unreachable(), begins: () => undefined })
          expect(await exported(at(folder.path, database.url))).toEqual(here)
        }),
        { numRuns: 3 },
      )
    },
    180_000,
  )
})
