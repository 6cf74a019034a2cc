/** From which entry on a list is shown. */
export function offsetOf(url: URL): number {
  const from = url.searchParams.get("from") ?? ""
  return /^\d{1,6}$/.test(from) ? Number(from) : 0
}
