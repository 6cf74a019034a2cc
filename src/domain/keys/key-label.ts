import { checkFor } from "../schema/check.ts"
import { shortText } from "../text/short-text.ts"

export const KeyLabel = shortText(
  100,
  "a label of 1 to 100 characters, without control characters and without white space at either end",
)

const isLabel = checkFor(KeyLabel)

export function labelErrors(label: string): { readonly label?: string } {
  return isLabel(label).ok ? {} : { label: "Give a label of 1 to 100 characters." }
}
