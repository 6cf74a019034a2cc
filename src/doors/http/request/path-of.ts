/**
 * The path of a request's address, without query and fragment. It is cut out of the text, which is fast and enough: the server has
 * resolved dots in it, and leaves the host out where it cannot be read. Whatever decides by an address decides by this.
 */
export function pathOf(url: string): string {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("//") + 2)
  const query = url.indexOf("?", start)
  const fragment = url.indexOf("#", start)
  const end = query < 0 || (fragment >= 0 && fragment < query) ? fragment : query
  return end < 0 ? url.slice(start) : url.slice(start, end)
}
