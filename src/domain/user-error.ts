/**
 * An error that the user can fix: a missing file, a port in use, a database from a newer version. Its message says in whole
 * sentences what is wrong and what to do; it is shown without a stack trace.
 */
export class UserError extends Error {
  override readonly name = "UserError"
}

/** What the system or a library calls the kind of failure, such as ENOENT; empty where it has no name. */
export const codeOf = (cause: unknown): string => (cause instanceof Error && "code" in cause ? String(cause.code) : "")

export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** What another program or a person said, with the full stop that was left out. */
export const sentence = (said: string): string => (/[.!?]$/.test(said) ? said : `${said}.`)

/** For a file or folder of another user, such as the service's. */
export const forbidden = (path: string, cause: unknown): UserError =>
  new UserError(`You are not allowed to use ${path}. Run the command as its owner, or with sudo: sudo adbooth ...`, {
    cause,
  })
