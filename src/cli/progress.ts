import type { Progress } from "../storage/copies/copy.ts"
import { drawLine } from "./print.ts"

const VERBS = { copy: "Copying", check: "Checking" } as const

/** Shows how far a copy is, in a line of the terminal that's replaced. */
export function showProgress(): { readonly show: Progress; readonly clear: () => void } {
  return {
    show: (step, table, rows) => drawLine(`${VERBS[step]} ${table}: ${rows.toLocaleString("en")} rows`),
    clear: () => drawLine(""),
  }
}
