import type { Random } from "../harness/random.ts"
import { ODD_TEXTS, ODD_VALUES, PATH_PARTS } from "./odd-values.ts"

type Json = unknown

/** The same value with something odd somewhere in it. */
export function mutateJson(value: Json, random: Random): Json {
  if (random.below(4) === 0) return random.pick(ODD_VALUES)
  if (Array.isArray(value)) return mutateArray(value, random)
  if (typeof value === "object" && value !== null) return mutateObject(value as Record<string, Json>, random)
  return random.pick(ODD_VALUES)
}

function mutateArray(items: readonly Json[], random: Random): Json[] {
  if (items.length === 0) return [random.pick(ODD_VALUES)]
  const at = random.below(items.length)
  const choices: (() => Json[])[] = [
    () => items.with(at, mutateJson(items[at], random)),
    () => items.toSpliced(at, 1),
    () => [...items, items[at]],
    () => Array.from({ length: 1_200 }, () => items[at]),
  ]
  return random.pick(choices)()
}

function mutateObject(object: Readonly<Record<string, Json>>, random: Random): Json {
  const names = Object.keys(object)
  if (names.length === 0) return { [JSON.stringify(random.pick(ODD_VALUES))]: random.pick(ODD_VALUES) }
  const name = random.pick(names)
  const { [name]: value, ...rest } = object
  const choices: (() => Json)[] = [
    () => ({ ...object, [name]: mutateJson(value, random) }),
    () => ({ ...object, [name]: mutateJson(value, random) }),
    () => rest,
    () => ({ ...rest, [`${name}s`]: value }),
    () => ({ ...object, [JSON.stringify(random.pick(ODD_VALUES))]: random.pick(ODD_VALUES) }),
  ]
  return random.pick(choices)()
}

/** A JSON body: whole, odd in its values, odd in its text, or with some bytes changed. */
export function jsonBody(template: Json, random: Random): Buffer {
  const kind = random.below(10)
  if (kind === 0) return Buffer.from(random.pick(ODD_TEXTS))
  const value = kind < 3 ? template : mutateJson(kind < 6 ? template : mutateJson(template, random), random)
  const bytes = Buffer.from(JSON.stringify(value) ?? "")
  return kind === 9 ? mutateBytes(bytes, random) : bytes
}

export function mutateBytes(bytes: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length + 1)
  const choices: (() => Buffer)[] = [
    () => bytes.subarray(0, at),
    () => Buffer.concat([bytes.subarray(0, at), Buffer.from([random.below(256)]), bytes.subarray(at)]),
    () => Buffer.concat([bytes.subarray(0, at), Buffer.from([random.below(256)]), bytes.subarray(at + 1)]),
    () => Buffer.concat([bytes, bytes.subarray(at)]),
    () => Buffer.from(Array.from({ length: random.below(200) }, () => random.below(256))),
  ]
  return random.pick(choices)()
}

/** The same path with something odd in it, now and then. */
export function mutatePath(path: string, random: Random): string {
  const kind = random.below(8)
  if (kind > 2) return path
  const at = random.below(path.length + 1)
  if (kind === 0)
    return `${path}?${random.pick(["dry_run=yes", "page=-1", "q=%00", "a=1&a=2", "next=//x", "=&=", "before=x"])}`
  if (kind === 1) return path.slice(0, at) + random.pick(PATH_PARTS) + path.slice(at)
  return `${path}/${"x".repeat(random.below(3_000))}`
}
