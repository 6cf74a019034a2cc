const SLUG_CHARACTERS_MAX = 64

/** "Früher Herbst 2026" becomes "fruher-herbst-2026". */
export function slugOf(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
  return trimmed(plain.slice(0, SLUG_CHARACTERS_MAX - 6)) || "unnamed"
}

/** The slug itself, or with the first free number appended. */
export function freeSlug(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted
  let number = 2
  while (taken.has(`${wanted}-${number}`)) number++
  return `${wanted}-${number}`
}

function trimmed(slug: string): string {
  return slug.replace(/^-+|-+$/g, "")
}
