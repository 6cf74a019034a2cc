const SLUG_CHARACTERS_MAX = 64

/** A short name made of a long one: "Früher Herbst 2026" is "fruher-herbst-2026". */
export function slugOf(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
  return trimmed(plain.slice(0, SLUG_CHARACTERS_MAX - 6)) || "unnamed"
}

/** The slug itself, or with the first number behind it that is not taken. */
export function freeSlug(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted
  let number = 2
  while (taken.has(`${wanted}-${number}`)) number++
  return `${wanted}-${number}`
}

function trimmed(slug: string): string {
  return slug.replace(/^-+|-+$/g, "")
}
