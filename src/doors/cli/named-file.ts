import { UsageError } from "./usage-error.ts"

/** A name under which a file can be written; `what` is where it was given. */
export function namedFile(what: string, name: string): string {
  if (name !== "" && !name.endsWith("/")) return name
  throw new UsageError(`${what} must name a file; it is "${name}".`)
}
