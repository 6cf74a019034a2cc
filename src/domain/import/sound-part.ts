import type { SchemaProblem } from "../schema/check.ts"
import type { ImportFile } from "./import-file.ts"
import type { ExistingData } from "./import-plan.ts"

type Entry = Readonly<Record<string, unknown>>

// Lists inside the entries of another one.
const BELOW = ["lines", "opened"]
const ENTRY = /\/\w+\/\d+(?:\/(?:lines|opened)\/\d+)?/

/**
 * What is left of a malformed file without its malformed entries, so that the problems of the rest are found in the same round. `placeOf` says where in the whole file
 * something stands; what malformed entries are called counts as known.
 */
export function soundPart(value: unknown, malformed: readonly SchemaProblem[], existing: ExistingData) {
  const dropped = new Set(
    malformed.map(({ pointer }) => ENTRY.exec(pointer)?.[0] ?? /^\/[^/]+/.exec(pointer)?.[0] ?? "/"),
  )
  const places = new Map<string, string>()

  function soundEntries(entries: readonly unknown[], before: string, after: string): Entry[] {
    const sound = entries.flatMap((entry, i) => (dropped.has(`${before}/${i}`) ? [] : [{ entry: entry as Entry, i }]))
    return sound.map(({ entry, i }, place) => {
      places.set(`${after}/${place}`, `${before}/${i}`)
      const below = BELOW.filter((name) => Array.isArray(entry?.[name]))
      const lists = below.map((name) => {
        const inside = [entry[name] as unknown[], `${before}/${i}/${name}`, `${after}/${place}/${name}`] as const
        return [name, soundEntries(...inside)] as const
      })
      return lists.length === 0 ? entry : { ...entry, ...Object.fromEntries(lists) }
    })
  }

  const whole = dropped.has("/") ? {} : (value as Readonly<Record<string, unknown>>)
  const lists = Object.entries(whole).filter(([part, list]) => Array.isArray(list) && !dropped.has(`/${part}`))
  const file = Object.fromEntries(
    lists.map(([part, list]) => [part, soundEntries(list as unknown[], `/${part}`, `/${part}`)]),
  )
  const named = (Array.isArray(whole["organizations"]) ? whole["organizations"] : []) as Entry[]
  const slugs = named.flatMap((entry) => (typeof entry?.["slug"] === "string" ? [entry["slug"]] : []))
  return {
    file: file as ImportFile,
    known: { ...existing, organizations: new Set([...existing.organizations, ...slugs]) },
    placeOf: (text: string) => text.replaceAll(new RegExp(ENTRY, "g"), (place) => places.get(place) ?? place),
  }
}
