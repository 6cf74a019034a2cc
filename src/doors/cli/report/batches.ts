import type { Row } from "./read-rows.ts"

// A file with a year of daily totals has each line 365 times, sorted by line or by day. This many batches are filled at the same
// time; more would only cost memory.
const OPEN_MAX = 400

/**
 * Packs rows into batches of at most `rowsMax`, with each unique value at most once per batch. Rows of one value keep their order,
 * because the later arrival wins.
 */
export async function* batchesOf(rows: AsyncIterable<Row>, rowsMax: number): AsyncGenerator<readonly Row[]> {
  const open: Row[][] = []
  let sent = 0
  // The number of the last batch with each value, until that batch is sent.
  const lastBatch = new Map<string, number>()

  function leave(): readonly Row[] {
    const batch = open.shift() ?? []
    for (const { unique } of batch) if (unique !== null && lastBatch.get(unique) === sent) lastBatch.delete(unique)
    sent++
    return batch
  }

  for await (const row of rows) {
    const after = row.unique === null ? undefined : lastBatch.get(row.unique)
    let place = after === undefined ? 0 : after + 1 - sent
    while ((open[place]?.length ?? 0) >= rowsMax) place++
    const batch = open[place] ?? []
    open[place] = batch
    batch.push(row)
    if (row.unique !== null) lastBatch.set(row.unique, sent + place)
    while ((open[0]?.length ?? 0) >= rowsMax || open.length > OPEN_MAX) yield leave()
  }
  while (open.length > 0) yield leave()
}
