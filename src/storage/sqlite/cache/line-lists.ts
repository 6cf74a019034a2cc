import type { DeliveryTotal } from "../../../domain/delivery/delivery.ts"
import type { ListedLine } from "../../port/store.ts"
import type { Caches } from "./caches.ts"

// About 250 bytes for each line, and 50 for each list that it is in.
const ENTRIES_MAX = 300_000

/** A line, shared by all lists that it is in. */
interface Holder {
  line: ListedLine
}

interface KeptList {
  /** The first lines of the list, in its order. */
  readonly holders: Holder[]
  /** Where each line is, by its id. */
  readonly places: Map<number, number>
  isWhole: boolean
}

type Position = Pick<ListedLine, "lineId" | "flightEnd">

/**
 * Long lists of lines, kept as far as they were read: handing thousands of rows over from SQLite takes longer than everything else that
 * is done with them. Every new total is written into them.
 */
export interface LineLists {
  /** The next `limit` lines of a list after one of its lines (null: the first). `read` reads them from the database. */
  next(
    list: string,
    after: Position | null,
    limit: number,
    read: (after: Position | null, limit: number) => ListedLine[],
  ): ListedLine[]
  /** All lines of a list; undefined unless all of them are kept. */
  whole(list: string): ListedLine[] | undefined
  /** Keeps a list that was read in one tick. */
  keepWhole(list: string, lines: readonly ListedLine[]): void
  /** Call it with every total that becomes the current one. */
  totalWritten(lineId: number, total: DeliveryTotal): void
}

export function lineLists(caches: Caches): LineLists {
  const lists = caches.map<string, KeptList>()
  const holders = caches.map<number, Holder>()
  let entries = 0

  function listCalled(name: string): KeptList {
    if (entries > ENTRIES_MAX) {
      lists.clear()
      holders.clear()
    }
    if (lists.size === 0) entries = 0
    const known = lists.get(name) ?? { holders: [], places: new Map(), isWhole: false }
    lists.set(name, known)
    return known
  }

  function add(list: KeptList, lines: readonly ListedLine[]): void {
    entries += lines.length
    for (const line of lines) {
      const holder = holders.get(line.lineId) ?? { line }
      holders.set(line.lineId, holder)
      list.places.set(line.lineId, list.holders.push(holder) - 1)
    }
  }

  return {
    next(name, after, limit, read) {
      const list = listCalled(name)
      const place = after === null ? -1 : list.places.get(after.lineId)
      // The list was dropped since the part before was read.
      if (place === undefined) return read(after, limit)
      const known = list.holders.slice(place + 1, place + 1 + limit).map(({ line }) => line)
      if (list.isWhole || known.length === limit) return known
      const rest = read(list.holders.at(-1)?.line ?? null, limit - known.length)
      add(list, rest)
      list.isWhole = rest.length < limit - known.length
      return [...known, ...rest]
    },
    whole(name) {
      const list = lists.get(name)
      return list?.isWhole ? list.holders.map(({ line }) => line) : undefined
    },
    keepWhole(name, lines) {
      const list = listCalled(name)
      if (list.isWhole) return
      add(list, lines)
      list.isWhole = true
    },
    totalWritten(lineId, { quantity, asOf }) {
      const holder = holders.get(lineId)
      if (holder !== undefined) holder.line = { ...holder.line, total: { quantity, asOf } }
    },
  }
}
