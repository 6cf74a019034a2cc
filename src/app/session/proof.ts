import type { Proof, Unproven } from "../../actions/people/passwords.ts"
import type { SignInOutcome } from "../../actions/people/sign-in.ts"
import type { Errors } from "../../domain/errors.ts"
import { scopeOf } from "../../http/scope.ts"
import type { Remarks } from "../forms/form.ts"
import { formatCount } from "../parts/format.tsx"
import type { SignedInVisit } from "../visit.ts"

/** Shown while too many passwords are being checked. */
export const BUSY: Remarks = {
  status: 503,
  errors: { "": "Many people are signing in right now. Try again in a few seconds." },
}

export const waitFirst = (seconds: number, field = ""): Remarks => ({
  status: 429,
  errors: { [field]: `Too many wrong attempts. Wait ${formatCount(seconds, "second")}, then try again.` },
})

type Refusal = Exclude<SignInOutcome, { outcome: "signed in" | "code needed" }>

/** Why the sign-in failed, as remarks about the form. */
export function refusal(outcome: Refusal, wrong: Errors): Remarks {
  if (outcome.outcome === "wait") return waitFirst(outcome.seconds)
  return outcome.outcome === "busy" ? BUSY : { errors: wrong }
}

/** The password that was typed again, before anything that a stolen session must not do. */
export const proofOf = ({ user, request }: SignedInVisit, password: string): Proof => ({
  userId: user.id,
  password,
  address: scopeOf(request).address,
})

/** Why the password in this field isn't accepted. */
export function unproven(why: Unproven, field = "password"): Remarks {
  if (why === "busy") return BUSY
  return why === "wrong" ? { errors: { [field]: "This password is wrong." } } : waitFirst(why.waitSeconds, field)
}
