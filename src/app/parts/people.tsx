import { PASSWORD_HINT } from "../../domain/people/password.ts"
import type { Organization } from "../../storage/organizations.ts"
import { Field } from "./fields.tsx"

export const ROLE_CHOICES = [
  { value: "member", label: "Member" },
  { value: "admin", label: "Admin" },
]

/** The organizations to choose from, or none. */
export const organizationChoices = (organizations: readonly Organization[], none = "None") => [
  { value: "", label: none },
  ...organizations.map(({ slug, name }) => ({ value: slug, label: name })),
]

interface PasswordProps {
  readonly label?: string
  readonly hint?: string
}

export const NewPassword = ({ label = "Password", hint = "" }: PasswordProps) => (
  <Field
    name="newPassword"
    label={label}
    type="password"
    hint={`${PASSWORD_HINT} ${hint}`}
    required
    autocomplete="new-password"
  />
)

/** Asks for the password before anything that a stolen session must not do. */
export const CurrentPassword = ({ label = "Your password" }: PasswordProps) => (
  <Field name="password" label={label} type="password" required autocomplete="current-password" />
)

export const ZoneField = ({ hint }: { readonly hint: string }) => (
  <Field name="timeZone" label="Time zone" hint={hint} required isTimeZone />
)

export const SlugField = () => (
  <Field
    name="slug"
    label="Slug"
    hint="Part of web addresses, such as lighthouse-audio, so it can’t be changed later. Leave it empty to use the name."
    maxlength={64}
  />
)
