import { join } from "node:path"
import type { SearchableProduct } from "../../src/domain/adcp/brief/search.ts"

/** A brief with what a reasonable buyer would think of the products. */
export interface JudgedBrief {
  readonly text: string
  /** From 1 for "worth a look" to 3 for "just what was asked for". A product that isn't here doesn't fit. */
  readonly grades: ReadonlyMap<string, number>
  readonly unwanted: readonly string[]
}

/** The blocks of a file of this folder, without comments. */
async function blocksOf(file: string): Promise<string[][]> {
  const text = await Bun.file(join(import.meta.dir, file)).text()
  const blocks = text.split("\n\n").filter((block) => !block.startsWith("#"))
  return blocks.map((block) => block.trim().split("\n"))
}

export async function productsIn(file: string): Promise<SearchableProduct[]> {
  return (await blocksOf(file)).map(([facts = "", name = "", description = ""]) => {
    const [id = "", channels = "", countries = ""] = facts.split(" | ")
    return { id, name, description, channels: channels.split(" "), territories: countries.split(" "), keywords: [] }
  })
}

export async function briefsIn(file: string): Promise<JudgedBrief[]> {
  return (await blocksOf(file)).map(([text = "", grades = "", unwanted = ""]) => ({
    text,
    grades: new Map(grades.split(" | ").flatMap(gradesOf)),
    unwanted: unwanted.replace("no: ", "").split(" ").filter(Boolean),
  }))
}

function gradesOf(part: string): [string, number][] {
  const [grade, ...ids] = part.split(" ")
  return ids.map((id) => [id, Number(grade)])
}
