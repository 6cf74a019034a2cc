export const ROWS_PER_PAGE = 100

/** The number of the first entry that a list shows. */
export function offsetOf(url: URL, name = "from"): number {
  const from = url.searchParams.get(name) ?? ""
  return /^\d{1,6}$/.test(from) ? Number(from) : 0
}

/** The address of a page with one part of its query changed. */
export function withQuery(url: URL, name: string, value: string | number | null): string {
  const query = new URLSearchParams(url.searchParams)
  if (value === null) query.delete(name)
  else query.set(name, String(value))
  return query.size === 0 ? url.pathname : `${url.pathname}?${query}`
}

/** Every part of a long list that says itself where its next part begins. */
export async function* everyPart<Part extends object, Next extends keyof Part>(
  next: Next,
  read: (from: Part[Next] | null) => Promise<Part>,
): AsyncGenerator<Part> {
  let from: Part[Next] | null = null
  do {
    const part: Part = await read(from)
    yield part
    from = part[next]
  } while (from !== null)
}
