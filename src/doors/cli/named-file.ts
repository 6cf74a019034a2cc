import { UsageError } from "./usage-error.ts"

/** Checks that a name can be a file; `what` is the argument that has it. */
export function namedFile(what: string, name: string): string {
  if (name !== "" && !name.endsWith("/")) return name
  throw new UsageError(`${what} must name a file; it is "${name}".`)
}
