/**
 * The path of a request's URL, without query and fragment. Slicing is faster than parsing, and enough: Bun has already resolved dots,
 * and leaves out a host that it cannot read. Use this for every decision by path.
 */
export function pathOf(url: string): string {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("//") + 2)
  const query = url.indexOf("?", start)
  const fragment = url.indexOf("#", start)
  const end = query < 0 || (fragment >= 0 && fragment < query) ? fragment : query
  return end < 0 ? url.slice(start) : url.slice(start, end)
}
