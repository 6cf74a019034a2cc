import { EMPTY_SUMMARY, NO_CHOICES, type Upload } from "./upload.ts"

/** An upload as it is stored: what somebody chose and what was found are JSON. */
export interface StoredUpload extends Omit<Upload, "choices" | "summary"> {
  readonly choices: string
  readonly summary: string
}

export function uploadOf({ choices, summary, ...row }: StoredUpload): Upload {
  return {
    ...row,
    choices: { ...NO_CHOICES, ...JSON.parse(choices) },
    summary: { ...EMPTY_SUMMARY, ...JSON.parse(summary) },
  }
}

type Changed = Partial<Pick<Upload, "choices" | "summary">>

/** A change, ready to be stored. */
export function storedChange<Change extends Changed>({ choices, summary, ...change }: Change) {
  return {
    ...change,
    ...(choices !== undefined && { choices: JSON.stringify(choices) }),
    ...(summary !== undefined && { summary: JSON.stringify(summary) }),
  }
}
