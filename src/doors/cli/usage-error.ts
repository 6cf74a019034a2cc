/** The command was called in a way it cannot be: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError"
}
