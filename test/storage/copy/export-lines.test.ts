import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import fc from "fast-check"
import type { StorageConfig } from "../../../src/config.ts"
import { move, readEverything, restore } from "../../../src/storage/open.ts"
import { temporaryFolder } from "../../harness.ts"
import { emptyDatabase, noPostgres } from "../postgres/server.ts"
import { contentOf, fill, randomContent } from "./random-content.ts"

const at = (data: string, databaseUrl: string | null = null): StorageConfig => ({
  data,
  databaseUrl,
  backupDir: null,
})

async function exported(place: StorageConfig): Promise<string> {
  await using everything = await readEverything(place)
  let text = ""
  for await (const part of everything.jsonLines()) text += part
  return text
}

const restored = (place: StorageConfig, text: string) =>
  restore(place, "-", { mayReplace: async () => false, stamp: "test", input: new Blob([text]).stream() })

/** Nobody is signed in to a copy, and no open link works. */
const SIGN_INS = { session: "", one_time_link: "", invitation: "" }

describe("an export of everything", () => {
  test("of anything at all, read back, leaves every row of every table as it was", async () => {
    await fc.assert(
      fc.asyncProperty(randomContent, async (content) => {
        using folder = temporaryFolder()
        const [from, back] = [join(folder.path, "from"), join(folder.path, "back")]
        await fill(from, content)
        await restored(at(back), await exported(at(from)))
        expect(await contentOf(back)).toEqual({ ...(await contentOf(from)), ...SIGN_INS })
      }),
      { numRuns: 20 },
    )
  })

  test.if(noPostgres === null)(
    "is the same from PostgreSQL, and can be read back into it",
    async () => {
      await fc.assert(
        fc.asyncProperty(randomContent, async (content) => {
          using folder = temporaryFolder()
          await using database = await emptyDatabase()
          await using target = await emptyDatabase()
          const [from, back] = [join(folder.path, "from"), join(folder.path, "back")]
          const quietly = { waitUntilFree: async () => expect.unreachable(), begins: () => undefined }
          await fill(from, content)
          await move(from, database.url, quietly)
          const text = await exported(at(folder.path, database.url))
          await restored(at(folder.path, target.url), text)
          await move(target.url, back, quietly)
          expect(await contentOf(back)).toEqual({ ...(await contentOf(from)), ...SIGN_INS })
        }),
        { numRuns: 3 },
      )
    },
    600_000,
  )
})
