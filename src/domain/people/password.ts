import { Secret, TOTP } from "otpauth"
import { MICROS_PER_HOUR, MICROS_PER_MS, MICROS_PER_SECOND, type Moment } from "../time/moment.ts"

// Words that the most common passwords are made of. Digits and signs at either end are ignored, so "Password2024!" is one of them.
const WORDS = `
  password passwort passwords passw0rd p@ssword p@ssw0rd pa$$word mypassword newpassword yourpassword thisispassword
  motdepasse contrasena wachtwoord senha secret topsecret geheim passphrase changeme changemenow changeit default
  qwerty qwertyu qwertyui qwertyuiop qwertyuio azerty azertyuiop qwertz qwertzuiop asdfgh asdfghj asdfghjk asdfghjkl
  asdfasdf asdf zxcvbn zxcvbnm qazwsx qazwsxedc qweasd qweasdzxc qwerasdf qwertyasdf 1q2w3e 1q2w3e4r 1q2w3e4r5t
  1qaz2wsx 1qaz2wsx3edc zaq12wsx q1w2e3r4 q1w2e3r4t5 a1b2c3d4 a1b2c3d4e5 abc123abc abcd1234abcd abc abcd abcde abcdef
  admin administrator administrador admin123admin adminpassword root rootroot toor superuser superadmin user username
  guest test tester testing testtest testpassword temp temporary welcome welcomehome welcomeback hello hellohello
  helloworld letmein letmeinnow letmeinplease login signin access access14 master masterkey monkey dragon sunshine
  princess football baseball basketball soccer hockey superman batman spiderman starwars pokemon naruto minecraft
  michael jennifer jessica ashley daniel charlie thomas jordan hunter killer trustno1 iloveyou iloveyousomuch ilovejesus
  ilovegod iloveme loveyou loveme lovelove jesuschrist jesus blessed freedom whatever computer internet samsung google
  facebook linkedin instagram microsoft windows company office business summer winter spring autumn monday friday
  january february september october november december chelsea liverpool barcelona arsenal manchester realmadrid
  juventus shadow flower cheese chocolate cookie banana butterfly purple orange yellow silver diamond mustang ferrari
  mercedes porsche corvette harley yamaha yankees cowboys steelers lakers nirvana metallica eminem slipknot matrix
  correcthorsebatterystaple nothing forever blahblah blahblahblah fuckyou fuckoff bullshit asshole biteme adbooth
  hallo hallohallo sommer herbst berlin michelle myspace unknown qwe qwer 1q2w3e4r5t6y zaq12wsxcde qazwsxedcrfv
`

const COMMON = new Set(WORDS.trim().split(/\s+/))

/** Whether many people use this password, or one like it. Attackers try these first. */
function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase()
  const word = wordOf(text)
  const half = text.slice(0, text.length / 2)
  return (
    isRun(text) ||
    isRepeated(text) ||
    isMostlyDigits(text) ||
    COMMON.has(text) ||
    COMMON.has(word) ||
    (text === half + half && (COMMON.has(half) || COMMON.has(wordOf(half))))
  )
}

const wordOf = (text: string) => text.replace(/^[\W\d_]+|[\W\d_]+$/g, "")

const DIGITS = /123456789|987654321|1122334455|147258369|789456123/

/** "123456789a" or "12345678910": the digits as they are on a keyboard, and up to four characters more. */
const isMostlyDigits = (text: string) => DIGITS.test(text) && text.replace(DIGITS, "").length <= 4

/** "1234567890", "9876543210", "abcdefghij" or "aaaaaaaaaa". */
function isRun(text: string): boolean {
  const codes = [...text].map((character) => character.charCodeAt(0))
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0))
  // After 9 comes 0, as on a keyboard.
  return [0, 1, -1].some((wanted) => steps.every((step) => step === wanted || (wanted !== 0 && step === -9 * wanted)))
}

/** "1212121212" or "abcabcabcabc". */
const isRepeated = (text: string) => /^(.{1,4})\1+$/s.test(text)

const CHARACTERS_MIN = 10
// Hashing a long text takes long.
const CHARACTERS_MAX = 500

/** What a password must be like, for the hint of its field. */
export const PASSWORD_HINT = `At least ${CHARACTERS_MIN} characters. Three or four words are easy to remember.`

/** Why a password isn't accepted. Undefined if it is. */
export function passwordProblem(password: string): string | undefined {
  const length = [...password].length
  if (length < CHARACTERS_MIN) return `Choose a password with at least ${CHARACTERS_MIN} characters.`
  if (length > CHARACTERS_MAX) return `Choose a password with at most ${CHARACTERS_MAX} characters.`
  return isCommonPassword(password)
    ? "Many people use this password, so it’s easy to guess. Choose another one."
    : undefined
}

/** Failed sign-ins that are counted together, such as those from one address. */
export interface Failures {
  readonly failures: number
  readonly lastAt: Moment
}

// A few typos are free. After that, each failure doubles the wait.
const FREE_FAILURES = 5
const WAIT_SECONDS_MAX = 15 * 60
// Twenty doublings are more than the longest wait.
const FAILURES_MAX = 25

/** Failures before this moment are forgotten. */
export const forgottenBefore = (now: Moment): Moment => now - MICROS_PER_HOUR

const NO_FAILURES: Failures = { failures: 0, lastAt: 0 }

/** The failures that still count. After an hour they are forgotten. */
export const remembered = (failures: Failures | undefined, now: Moment): Failures =>
  failures === undefined || failures.lastAt < forgottenBefore(now) ? NO_FAILURES : failures

/** How many seconds the next attempt must wait. 0 if it may be made now. */
export function waitSeconds({ failures, lastAt }: Failures, now: Moment): number {
  if (failures < FREE_FAILURES) return 0
  const wait = Math.min(2 ** (failures - FREE_FAILURES), WAIT_SECONDS_MAX)
  // A failure of the future was counted while the clock was ahead.
  const passed = Math.max(0, now - lastAt) / MICROS_PER_SECOND
  return Math.max(0, Math.ceil(wait - passed))
}

export const oneMore = ({ failures }: Failures, now: Moment): Failures => ({
  failures: Math.min(failures + 1, FAILURES_MAX),
  lastAt: now,
})

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
