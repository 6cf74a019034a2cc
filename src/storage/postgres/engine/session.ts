// Promise: numbers come as numbers, and a text that PostgreSQL cannot hold harms nobody.
// Held by test/storage/contract/texts-and-numbers.test.ts.
import type { SQL } from "bun"
import { drizzle } from "drizzle-orm/bun-sql"
import type { Tx } from "../../steps/step.ts"

/** What a statement may be given: arrays for `unnest($1::bigint[])` and `= ANY($1::text[])`. */
export type Value = string | number | boolean | null | readonly (string | number | null)[]

/** Where statements run: on any connection, or in one transaction. */
export interface Session {
  /** Drizzle, for quiet queries. */
  readonly drizzle: Tx["db"]
  /** The rows of a statement written by hand, with $1, $2 for its values. int8 (so every id, moment and count) comes as a number. */
  rows<Row>(statement: string, values?: readonly Value[]): Promise<Row[]>
}

/**
 * A value to look for. PostgreSQL calls a text with U+0000 in it an error; none is stored, so a search for one finds nothing, as in
 * SQLite: nor is U+FFFF, which is no character.
 */
export function findable(value: Value): Value {
  if (typeof value === "string") return value.replaceAll("\0", "\uffff")
  return Array.isArray(value) ? value.map((entry) => findable(entry) as string | number | null) : value
}

/** Drizzle on a connection, or a pool, under the types that the schema of both engines has. It asks `unsafe` and nothing else. */
export function queriesOn(client: SQL): Tx["db"] {
  const unsafe = (text: string, values: Value[]) => client.unsafe(text, values.map(findable))
  return drizzle({ client: { unsafe } as unknown as SQL }) as unknown as Tx["db"]
}

export async function rowsOf<Row>(client: SQL, statement: string, values: readonly Value[] = []): Promise<Row[]> {
  const result = await client.unsafe<Record<string, unknown>[]>(statement, [...values])
  return withNumbers(result) as Row[]
}

// The types of the server by number: int8 and an array of it, which Bun hands over as text because they may exceed 2^53. Ours do not.
const INT8 = 20
const INT8_ARRAY = 1016

function withNumbers(result: Record<string, unknown>[] & Partial<SQL.ResultMetadata>): Record<string, unknown>[] {
  const rows = Array.from(result)
  for (const { name, type } of result.columns ?? []) {
    if (type !== INT8 && type !== INT8_ARRAY) continue
    for (const row of rows) row[name] = numbers(row[name])
  }
  return rows
}

function numbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(numbers)
  return value === null ? null : Number(value)
}

/** A text with U+0000 in it is an error in PostgreSQL, which would be that of everybody in the same statement. */
export const storableText = (text: string): string => text.replaceAll("\0", "\u{fffd}")
