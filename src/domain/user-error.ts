/**
 * Something that the person at the keyboard can mend: a missing file, a port in use, a database from a newer version.
 * Its message is made of whole sentences that say what is wrong and what to do; it is shown without a stack trace.
 */
export class UserError extends Error {
  override readonly name = "UserError"
}
