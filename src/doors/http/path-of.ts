/**
 * The path of a request's address, without query and fragment. It is cut out of the text, which is fast and enough: the server has
 * resolved dots in it, and leaves the host out where it cannot be read. Whatever decides by an address decides by this.
 */
export function pathOf(url: string): string {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("//") + 2)
  const end = url.slice(start).search(/[?#]/)
  return end < 0 ? url.slice(start) : url.slice(start, start + end)
}
