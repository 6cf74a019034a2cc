import { Secret, TOTP } from "otpauth"
import { MICROS_PER_MS, MICROS_PER_SECOND, type Moment } from "../time/moment.ts"

const PERIOD_SECONDS = 30
// Clocks and people are a little late, so the codes of the previous and the next step are accepted as well.
const STEPS_AROUND = 1
const SECRET_BYTES = 20
const RECOVERY_CODES = 8
const RECOVERY_BYTES = 10

export const createTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

export const isTotpSecret = (text: string): boolean => /^[A-Z2-7]{32}$/.test(text)

/** The address that an authenticator app reads from a QR code. */
export const totpAddress = (secret: string, email: string): string => totpOf(secret, email).toString()

/** The time step of a code. Null if it isn't a current code. */
export function matchingStep(secret: string, code: string, now: Moment): number | null {
  const token = code.replace(/\s/g, "")
  if (!/^\d{6}$/.test(token)) return null
  const delta = totpOf(secret, "").validate({ token, timestamp: now / MICROS_PER_MS, window: STEPS_AROUND })
  return delta === null ? null : Math.floor(now / MICROS_PER_SECOND / PERIOD_SECONDS) + delta
}

/** Codes for a person without their phone: "3f9a2-…", four groups of five. */
export function createRecoveryCodes(): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const hex = crypto.getRandomValues(new Uint8Array(RECOVERY_BYTES)).toHex()
    return [hex.slice(0, 5), hex.slice(5, 10), hex.slice(10, 15), hex.slice(15)].join("-")
  })
}

/** A recovery code for comparison, however it was typed. */
export const plainCode = (code: string): string => code.replace(/[\s-]/g, "").toLowerCase()

function totpOf(secret: string, label: string): TOTP {
  const options = { issuer: "Adbooth", label, algorithm: "SHA1", digits: 6, period: PERIOD_SECONDS }
  return new TOTP({ ...options, secret: Secret.fromBase32(secret) })
}
