/** From which entry on a list is shown. */
export function offsetOf(url: URL, name = "from"): number {
  const from = url.searchParams.get(name) ?? ""
  return /^\d{1,6}$/.test(from) ? Number(from) : 0
}
