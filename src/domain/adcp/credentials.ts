import { maskKeys } from "../keys/api-key.ts"
import { pointerToPath } from "../schema/explain.ts"
import { type AdcpError, adcpError } from "./tools/error.ts"

const secretNames =
  /^(?:api[_-]?key|authorization|bearer|client[_-]secret|(?:.+[_-])?access[_-]token|jwks?|jwks[_-]uri)$/i

/** Whether a field of this name is a secret, which must not be in the arguments. */
export function namesSecret(name: string): boolean {
  return secretNames.test(name)
}

// The protocol allows secrets here; we neither read nor store them.
const allowedPlaces = new Set(["/push_notification_config/authentication", "/property_list/auth_token"])

/** The pointer of a credential in the arguments, or undefined. The caller's context is not searched. */
export function findCredential(args: Record<string, unknown>): string | undefined {
  const { context: _, ...rest } = args
  return search(rest, "", 0)
}

/** The deepest nesting of arguments that the tools accept. */
export const ARGUMENTS_DEPTH_MAX = 100

function search(value: unknown, pointer: string, depth: number): string | undefined {
  if (typeof value !== "object" || value === null || depth > ARGUMENTS_DEPTH_MAX) return undefined
  if (Array.isArray(value)) return searchList(value, pointer, depth)
  if (allowedPlaces.has(pointer)) return undefined
  for (const [name, field] of Object.entries(value)) {
    if (namesSecret(name) && !allowedPlaces.has(`${pointer}/${name}`)) return `${pointer}/${name}`
    if (typeof field !== "object" || field === null) continue
    const found = search(field, `${pointer}/${name}`, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

function searchList(list: readonly unknown[], pointer: string, depth: number): string | undefined {
  for (const [index, item] of list.entries()) {
    if (typeof item !== "object" || item === null) continue
    const found = search(item, `${pointer}/${index}`, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

export function credentialInArguments(place: string): AdcpError {
  const field = maskKeys(pointerToPath(place)).slice(0, 120)
  return adcpError("CREDENTIAL_IN_ARGS", "Credentials must not be sent in the arguments. This one was not used.", {
    field,
    suggestion: "Send your key in the header Authorization: Bearer, and replace the one you sent here.",
  })
}
