import fc, { type Arbitrary } from "fast-check"

// Breaks a good document in one place, so that two checkers can be asked whether they still agree.

const strangers = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -1,
  1.5,
  1e9,
  "",
  "a",
  "A B",
  "x".repeat(3000),
  [],
  {},
  ["a"],
  { a: 1 },
  "https://a.example/",
  "not a url",
  "2026-02-30T00:00:00Z",
  "custom",
  "EUR",
  "all",
)

const strangeNames = fc.constantFrom(
  "extra",
  "width",
  "sizes",
  "name",
  "system",
  "country",
  "publisher_domain",
  "publisher_domains",
  "capability_id",
  "format_shape",
  "fixed_price",
  "max_chars",
  "max_size_kb",
  "logo_slots",
  "source",
  "id",
  "agent_url",
  "signal_id",
  "canonical_formats_only",
  "dimensions",
  "parameters_from_format_id",
  "rate",
  "amount",
  "standard",
  "unit",
)

type Holder = Record<string, unknown>

/** Every object and list inside the document, the document itself included. */
function holders(value: unknown): Holder[] {
  if (typeof value !== "object" || value === null) return []
  return [value as Holder, ...Object.values(value).flatMap(holders)]
}

export function mutations(document: unknown): Arbitrary<unknown> {
  const places = fc.tuple(
    fc.nat(),
    fc.nat(),
    fc.constantFrom("remove", "replace", "repeat", "add"),
    strangers,
    strangeNames,
  )
  return places.map(([holderAt, nameAt, act, stranger, newName]) => {
    const copy = structuredClone(document)
    const all = holders(copy).filter((each) => Object.keys(each).length > 0)
    const holder = all[holderAt % all.length] ?? {}
    const names = Object.keys(holder)
    const name = names[nameAt % names.length] ?? ""
    if (Array.isArray(holder)) changeList(holder, Number(name), act, stranger)
    else changeObject(holder, name, act, stranger, newName)
    return copy
  })
}

function changeList(list: unknown[], index: number, act: string, stranger: unknown): void {
  if (act === "remove") list.splice(index, 1)
  else if (act === "repeat") list.push(structuredClone(list[index]))
  else list[index] = stranger
}

function changeObject(holder: Holder, name: string, act: string, stranger: unknown, newName: string): void {
  if (act === "remove") delete holder[name]
  else if (act === "replace") holder[name] = stranger
  else holder[newName] = stranger
}
