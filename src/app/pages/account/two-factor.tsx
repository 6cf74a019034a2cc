import { encode } from "uqr"
import { disableTwoFactor, enableTwoFactor } from "../../../actions/people/sign-in.ts"
import { createTotpSecret, isTotpSecret, totpAddress } from "../../../domain/people/password.ts"
import { userById } from "../../../storage/people/users.ts"
import { goTo } from "../../flash.ts"
import type { FormOf } from "../../forms/form.ts"
import { showOnce } from "../../forms/once.tsx"
import { Copyable } from "../../parts/blocks.tsx"
import { Field } from "../../parts/fields.tsx"
import { Form, Hidden } from "../../parts/form.tsx"
import { CurrentPassword } from "../../parts/people.tsx"
import { proofOf, unproven } from "../../session/session.ts"
import { NotFound, type SignedInVisit } from "../../visit.ts"

const ACCOUNT = { href: "/app/account", label: "Your account" }

/** New codes need the old ones turned off first, so that an unattended browser isn't enough to replace them. */
async function findOff({ read, user }: SignedInVisit): Promise<null> {
  if ((await userById(read, user.id))?.hasTwoFactor !== false) throw new NotFound()
  return null
}

export const twoFactorForm: FormOf<SignedInVisit, null> = {
  find: findOff,
  view(visit, _, sent) {
    const { secret: typed = "" } = sent.texts
    const secret = isTotpSecret(typed) ? typed : createTotpSecret()
    const body = (
      <section class="card form-card">
        <p>Scan this with an authenticator app, then enter the six digits that it shows.</p>
        <QrCode text={totpAddress(secret, visit.user.email)} />
        <Copyable id="totp-secret" label="Or enter this key" text={secret} />
        <Form submit="Turn on" cancel={ACCOUNT.href}>
          <Hidden name="secret" />
          <Field name="otp" label="Code" inputmode="numeric" required autocomplete="one-time-code" />
          <CurrentPassword />
        </Form>
      </section>
    )
    const form = { ...sent, texts: { ...sent.texts, secret } }
    return { title: "Turn on two-factor codes", trail: [ACCOUNT], form, isSecret: true, body }
  },
  async save(visit, _, { secret = "", otp = "", password = "" }) {
    if (!isTotpSecret(secret)) return { errors: { otp: "Scan the new code, then enter its six digits." } }
    const enabled = await enableTwoFactor(visit.context, proofOf(visit, password), { secret, code: otp })
    if (enabled === "wrong code") return { errors: { otp: "This code is wrong. Codes change every 30 seconds." } }
    if (typeof enabled === "string" || "waitSeconds" in enabled) return unproven(enabled)
    return showOnce(visit, {
      title: "Two-factor codes are on",
      trail: [ACCOUNT],
      text: "Keep these recovery codes somewhere safe. Each one lets you sign in once without your phone.",
      secrets: [{ id: "codes", label: "Recovery codes", text: enabled.recoveryCodes.join("\n") }],
    })
  },
}

export const twoFactorOffForm: FormOf<SignedInVisit, null> = {
  find: async () => null,
  view: () => ({
    title: "Turn off two-factor codes?",
    intro: "Your password alone will be enough to sign in, and your recovery codes stop working.",
    isCard: true,
    body: (
      <Form submit="Turn off" cancel={ACCOUNT.href} isDanger>
        <CurrentPassword />
      </Form>
    ),
  }),
  async save(visit, _, { password = "" }) {
    const disabled = await disableTwoFactor(visit.context, proofOf(visit, password))
    return disabled === "done" ? goTo(visit, ACCOUNT.href, "Two-factor codes are off.") : unproven(disabled)
  },
}

function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text)
  const dots = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg width="192" viewBox={`0 0 ${size} ${size}`} role="img" aria-label="QR code for an authenticator app">
      <rect width={size} height={size} fill="#fff" />
      <path d={dots.join("")} fill="#000" />
    </svg>
  )
}
