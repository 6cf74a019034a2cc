import { offsetOf } from "./paging.ts"

const ROWS_SHOWN = 100

export interface Slice<Row> {
  readonly shown: readonly Row[]
  readonly previous: string | null
  readonly next: string | null
}

/** The part of a long list that one page shows, and the addresses of the pages before and after it. */
export function sliceOf<Row>(url: URL, rows: readonly Row[], most = ROWS_SHOWN, name = "start"): Slice<Row> {
  const offset = offsetOf(url, name)
  const pageAt = (start: number) => {
    const query = new URLSearchParams(url.searchParams)
    query.set(name, String(start))
    return `${url.pathname}?${query}`
  }
  return {
    shown: rows.slice(offset, offset + most),
    previous: offset > 0 ? pageAt(Math.max(0, offset - most)) : null,
    next: rows.length > offset + most ? pageAt(offset + most) : null,
  }
}
