import { createHmac } from "node:crypto"
import { type Static, Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { hasMail, publicUrl, sendLetter } from "../../actions/mail.ts"
import { LINK_DAYS } from "../../domain/people/session.ts"
import { goTo } from "../flash.ts"
import { page } from "../page.tsx"
import { ButtonLink, Copyable } from "../parts/blocks.tsx"
import { Icon } from "../parts/icon.tsx"
import { cookieOf, removeCookie, setCookie } from "../session/cookies.ts"
import type { SignedInVisit } from "../visit.ts"

// A key, a link or codes that can't be shown again. The page has an address of its own, so that reloading it creates no second secret.
// The secret travels there in a cookie that is removed when the page is shown, so the server keeps nothing.

const LinkSchema = Type.Object({ href: Type.String(), label: Type.String() })
const SecretSchema = Type.Object({
  title: Type.String(),
  /** The pages above this one. The last is the page to continue with. */
  trail: Type.Array(LinkSchema),
  text: Type.String(),
  secrets: Type.Array(Type.Object({ id: Type.String(), label: Type.String(), text: Type.String() })),
  /** What to do with it first, such as showing products to a key. */
  first: Type.Optional(LinkSchema),
})

type Secret = Readonly<Static<typeof SecretSchema>>

const ONCE_COOKIE = "adbooth_once"
const ONCE_SECONDS = 300

/** Goes to the page that shows a secret once, to this session only. */
export function showOnce(visit: SignedInVisit, secret: Secret): Response {
  const text = Buffer.from(JSON.stringify(secret)).toString("base64url")
  const response = goTo(visit, "/app/once")
  setCookie(visit, response, ONCE_COOKIE, `${text}.${sealOf(visit, text)}`, ONCE_SECONDS)
  return response
}

export function oncePage(visit: SignedInVisit): Response {
  const secret = readSecret(visit)
  if (secret === null) return gonePage(visit)
  const { title, trail, text, secrets, first } = secret
  const next = trail.at(-1)?.href ?? "/app"
  const body = (
    <section class="card once form-card">
      <h2 class="with">
        <Icon name="key" />
        Copy it now
      </h2>
      <p>{text}</p>
      {secrets.map((each) => (
        <Copyable {...each} />
      ))}
      <div class="actions">
        {first !== undefined && <ButtonLink kind="primary" {...first} />}
        <ButtonLink kind={first === undefined ? "primary" : "quiet"} href={next} label="I have copied it" />
      </div>
    </section>
  )
  const response = page(visit, { title, trail, isSecret: true, body })
  removeCookie(visit, response, ONCE_COOKIE)
  return response
}

function readSecret(visit: SignedInVisit): Secret | null {
  const [text = "", seal] = cookieOf(visit, ONCE_COOKIE).split(".", 2)
  if (text === "" || seal !== sealOf(visit, text)) return null
  const secret: unknown = JSON.parse(Buffer.from(text, "base64url").toString())
  return Value.Check(SecretSchema, secret) ? secret : null
}

/** The next person who uses this browser can neither make nor use it. */
const sealOf = ({ sessionHash }: SignedInVisit, text: string) =>
  createHmac("sha256", sessionHash).update(text).digest("base64url")

const gonePage = (visit: SignedInVisit): Response =>
  page(visit, {
    title: "This was shown only once",
    intro: "It isn’t stored. If you didn’t copy it, create a new one and revoke the old one.",
    isCard: true,
    body: (
      <div class="actions">
        <ButtonLink kind="primary" href="/app" label="Continue" />
      </div>
    ),
  })

interface PersonalLink extends Pick<Secret, "title" | "trail"> {
  readonly path: string
  readonly to: { readonly name: string; readonly email: string }
  /** What it's for, as the end of a sentence: "to join Acme Audio". */
  readonly purpose: string
}

/**
 * Mails a link that one person uses once. If mail isn't set up or fails, the link is shown instead: the inviter must not
 * be able to open a mailed link.
 */
export async function sendLink(visit: SignedInVisit, link: PersonalLink): Promise<Response> {
  const { context, user } = visit
  const { path, to, purpose, title, trail } = link
  const address = publicUrl(context) + path
  const works = `It works once, within ${LINK_DAYS} days, ${purpose}.`
  const paragraphs = [
    `${user.name} sent you this link ${purpose}:`,
    address,
    `It works once, within ${LINK_DAYS} days. If you weren’t expecting it, ignore this message.\n`,
  ]
  const letter = { to: to.email, subject: "Adbooth: your link", text: paragraphs.join("\n\n") }
  const isOn = await hasMail(context)
  const problem = isOn ? await sendLetter(context, letter) : null
  if (isOn && problem === null) return goTo(visit, trail.at(-1)?.href ?? "/app", `A link was mailed to ${to.email}.`)
  const why = problem === null ? "" : `It couldn’t be mailed: ${problem} `
  const secrets = [{ id: "link", label: "One-time link", text: address }]
  return showOnce(visit, { title, trail, text: `${why}Send this link only to ${to.name}. ${works}`, secrets })
}
