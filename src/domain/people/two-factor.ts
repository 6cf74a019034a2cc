import { Secret, TOTP } from "otpauth"
import { MICROS_PER_MS, type Moment } from "../time/moment.ts"

const PERIOD_SECONDS = 30
// Codes of the previous and next step are accepted too, because clocks and people are a little late.
const STEPS_AROUND = 1
const SECRET_BYTES = 20
const RECOVERY_CODES = 8
const RECOVERY_BYTES = 10

export const newTotpSecret = (random: (bytes: number) => Uint8Array): string =>
  new Secret({ buffer: random(SECRET_BYTES).slice().buffer }).base32

export const totpUri = (secret: string, email: string): string => totpOf(secret, email).toString()

/** The time step of a code, or null when it is not a current code. */
export function matchingStep(secret: string, code: string, now: Moment): number | null {
  const token = code.replace(/\s/g, "")
  if (!/^\d{6}$/.test(token)) return null
  const timestamp = now / MICROS_PER_MS
  const delta = totpOf(secret, "").validate({ token, timestamp, window: STEPS_AROUND })
  return delta === null ? null : Math.floor(timestamp / 1_000 / PERIOD_SECONDS) + delta
}

export const newRecoveryCodes = (random: (bytes: number) => Uint8Array): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const hex = random(RECOVERY_BYTES).toHex()
    return [hex.slice(0, 5), hex.slice(5, 10), hex.slice(10, 15), hex.slice(15)].join("-")
  })

function totpOf(secret: string, label: string): TOTP {
  const options = { issuer: "Adbooth", label, algorithm: "SHA1", digits: 6, period: PERIOD_SECONDS }
  return new TOTP({ ...options, secret: Secret.fromBase32(secret) })
}
