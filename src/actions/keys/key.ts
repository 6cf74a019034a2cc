import { fingerprintOf, type KeyKind, mint, prefixOf } from "../../domain/keys/api-key.ts"
import type { KeyRecord } from "../../storage/port/store.ts"
import type { Context } from "../context.ts"
import { newId } from "../new-id.ts"

export interface MadeKey {
  /** The full key, which is shown once and not stored. */
  readonly secret: string
  readonly record: KeyRecord
}

/** A new key: the secret for its owner, and the record to store. */
export function makeKey({ clock, random }: Pick<Context, "clock" | "random">, kind: KeyKind, label: string): MadeKey {
  const secret = mint(kind, random)
  const record = {
    id: newId(random),
    label,
    prefix: prefixOf(secret),
    fingerprint: fingerprintOf(secret),
    createdAt: clock(),
  }
  return { secret, record }
}

/** The outcome of changing an active key, which is found by its id or prefix. */
export type KeyChange =
  | { readonly outcome: "done"; readonly id: string; readonly label: string }
  | { readonly outcome: "not found" }
