import { isCommonPassword } from "./common-passwords.ts"

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
