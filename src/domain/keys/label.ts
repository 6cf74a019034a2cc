import { isTidy } from "../text.ts"
import { maskKeys } from "./api-key.ts"

const LABEL_CHARACTERS_MAX = 100

/** Reads the label of a key. A key in it is masked, because labels are shown and audited. */
export function readLabel(typed: string): { readonly label: string } | { readonly error: string } {
  const label = maskKeys(typed.trim())
  if (isTidy(label, LABEL_CHARACTERS_MAX)) return { label }
  return { error: `Enter a label of 1 to ${LABEL_CHARACTERS_MAX} characters.` }
}
