import { pointerToPath } from "../explain.ts"
import { type AdcpError, adcpError } from "./error.ts"

const secretNames = /^(?:api_?key|authorization|bearer|client_secret|(?:.+_)?access_token|jwks?|jwks_uri)$/i

/** Whether a field of this name holds a secret that has no place among arguments. */
export function namesSecret(name: string): boolean {
  return secretNames.test(name.replaceAll("-", "_"))
}

// The protocol itself puts secrets here; what we do not use we neither read nor keep.
const allowedPlaces = new Set(["/push_notification_config/authentication", "/property_list/auth_token"])

/** The place of a credential anywhere in the arguments, or undefined. The caller's context is not ours to read. */
export function findCredential(args: Record<string, unknown>): string | undefined {
  const { context: _, ...rest } = args
  return search(rest, "", 0)
}

const DEPTH_MAX = 64

function search(value: unknown, pointer: string, depth: number): string | undefined {
  if (typeof value !== "object" || value === null || allowedPlaces.has(pointer) || depth > DEPTH_MAX) return undefined
  for (const [name, field] of Object.entries(value)) {
    const place = `${pointer}/${name}`
    const found = namesSecret(name) ? place : search(field, place, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

export function credentialInArguments(place: string): AdcpError {
  const field = pointerToPath(place).slice(0, 120)
  return adcpError("CREDENTIAL_IN_ARGS", "A credential has no place in the arguments. It was not used.", {
    field,
    suggestion: "Send your key in the header Authorization: Bearer, and replace the one that you sent here.",
  })
}
