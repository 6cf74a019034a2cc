import type { DeliveryTotal } from "../../../domain/delivery/delivery.ts"
import type { ListedLine } from "../../port/store.ts"
import type { Caches } from "./caches.ts"

// About 250 bytes each.
const LINES_MAX = 200_000
const LISTS_MAX = 8

interface KeptList {
  /** The first lines of the list, in its order. */
  readonly lines: ListedLine[]
  /** Where each line is, by its id. */
  readonly places: Map<number, number>
  isWhole: boolean
}

/**
 * Long lists of lines, kept as far as they were read: handing thousands of rows over from SQLite takes longer than everything else that
 * is done with them. Every new total is written into them.
 */
export interface LineLists {
  /** The next `limit` lines of a list after one of its lines (null: the first). `read` reads them from the database. */
  next<After extends Pick<ListedLine, "lineId" | "flightEnd">>(
    list: string,
    after: After | null,
    limit: number,
    read: (after: After | ListedLine | null, limit: number) => ListedLine[],
  ): ListedLine[]
  /** Call it with every total that becomes the current one. */
  totalWritten(lineId: number, total: DeliveryTotal): void
}

export function lineLists(caches: Caches): LineLists {
  const lists = caches.map<string, KeptList>()

  function asked(name: string): KeptList {
    const known = lists.get(name) ?? { lines: [], places: new Map(), isWhole: false }
    // The one that was asked last is dropped last.
    lists.delete(name)
    lists.set(name, known)
    let lines = 0
    for (const [index, [other, list]] of [...lists].toReversed().entries()) {
      lines += list.lines.length
      if (index > 0 && (index >= LISTS_MAX || lines > LINES_MAX)) lists.delete(other)
    }
    return known
  }

  return {
    next(name, after, limit, read) {
      const list = asked(name)
      const place = after === null ? -1 : list.places.get(after.lineId)
      // The list was dropped since the part before was read.
      if (place === undefined) return read(after, limit)
      const known = list.lines.slice(place + 1, place + 1 + limit)
      if (list.isWhole || known.length === limit) return known
      const rest = read(list.lines.at(-1) ?? null, limit - known.length)
      for (const line of rest) list.places.set(line.lineId, list.lines.push(line) - 1)
      list.isWhole = rest.length < limit - known.length
      return [...known, ...rest]
    },
    totalWritten(lineId, { quantity, asOf }) {
      for (const { lines, places } of lists.values()) {
        const place = places.get(lineId)
        const line = place === undefined ? undefined : lines[place]
        if (place !== undefined && line !== undefined) lines[place] = { ...line, total: { quantity, asOf } }
      }
    },
  }
}
