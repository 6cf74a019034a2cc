import { readBrief } from "../../src/domain/adcp/brief/reading.ts"
import { createIndex, rank, type SearchableProduct } from "../../src/domain/adcp/brief/search.ts"
import { bm25 } from "./bm25.ts"
import { briefsIn, type JudgedBrief, productsIn } from "./read.ts"

// Prints how well briefs are searched, beside plain BM25: `bun bench/briefs/run.ts`.

const PLACES = 5

type Order = (brief: string) => readonly string[]

/** How much of the best possible order the first five places hold, from 0 to 1. */
function ndcg(ids: readonly string[], { grades }: JudgedBrief): number {
  const ideal = [...grades.values()].toSorted((a, b) => b - a)
  return gain(ids.map((id) => grades.get(id) ?? 0)) / gain(ideal)
}

function gain(grades: readonly number[]): number {
  return grades.slice(0, PLACES).reduce((sum, grade, place) => sum + (2 ** grade - 1) / Math.log2(place + 2), 0)
}

function searchOver(products: readonly SearchableProduct[]): Order {
  const index = createIndex(products)
  return (brief) => rank(index, readBrief(brief)).map(({ product }) => product.id)
}

/** Whether nothing unwanted is among the first five, as long as there is something else. */
function isObeyed(ids: readonly string[], { unwanted }: JudgedBrief): boolean {
  return !ids.slice(0, Math.min(PLACES, ids.length - unwanted.length)).some((id) => unwanted.includes(id))
}

async function measure(title: string, catalogue: string, file: string): Promise<void> {
  const products = await productsIn(catalogue)
  const briefs = await briefsIn(file)
  const graded = briefs.filter(({ grades }) => grades.size > 0)
  const refusing = briefs.filter(({ unwanted }) => unwanted.length > 0)
  const row = (name: string, order: Order) => {
    const mean = graded.reduce((sum, brief) => sum + ndcg(order(brief.text), brief), 0) / graded.length
    const obeyed = refusing.filter((brief) => isObeyed(order(brief.text), brief)).length
    const refusals = refusing.length === 0 ? "" : `, nothing unwanted first ${obeyed} of ${refusing.length}`
    console.log(`  ${name}: nDCG@5 ${mean.toFixed(3)}${refusals}`)
  }
  console.log(`${title}, ${briefs.length} briefs over ${products.length} products`)
  row("this search", searchOver(products))
  row("plain BM25", bm25(products))
}

await measure("Judged briefs", "catalogue.txt", "judged.txt")
await measure("Briefs with refusals", "refusals-catalogue.txt", "refusals.txt")
