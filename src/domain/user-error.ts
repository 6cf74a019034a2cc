/** A problem that the person at the keyboard can fix. Its message says what's wrong and what to do, in whole sentences. */
export class UserError extends Error {
  override readonly name = "UserError"
}

/** What the system or a library calls this kind of failure, such as ENOENT. Empty if it has no name. */
export const codeOf = (cause: unknown): string => (cause instanceof Error && "code" in cause ? String(cause.code) : "")

export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
