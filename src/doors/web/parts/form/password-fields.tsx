import { PASSWORD_CHARACTERS_MIN } from "../../../../domain/limits.ts"
import { Field } from "./field.tsx"

type PasswordProps = Readonly<{ name?: string; label?: string; hint?: string }>

const HINT = `At least ${PASSWORD_CHARACTERS_MIN} characters. A few words in a row are easy to remember.`

export function CurrentPassword({ name = "password", label = "Your password" }: PasswordProps) {
  return <Field name={name} label={label} type="password" required autocomplete="current-password" />
}

export function NewPassword({ name = "password", label = "Password", hint = HINT }: PasswordProps) {
  return <Field name={name} label={label} type="password" required autocomplete="new-password" hint={hint} />
}
