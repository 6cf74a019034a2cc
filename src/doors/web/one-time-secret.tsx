import { createHmac } from "node:crypto"
import { PASSWORD_LINK_HOURS } from "../../domain/people/user.ts"
import { cookie, noCookie } from "./cookies.ts"
import { forMember, forOperator, forSignedIn } from "./guards.ts"
import { ButtonLink, KeyOnce } from "./parts/blocks.tsx"
import type { Trail } from "./parts/page.tsx"
import { cardPage, goTo, headedPage } from "./respond.tsx"
import { isSecure, type PersonVisit, type Visit } from "./visit.ts"

// A key, a link or codes that we cannot show again. The page has an address of its own, so that reloading it does not create
// another one. The secret travels there in a cookie that is removed as soon as the page is shown: nothing is kept on the server. Only the
// session that made it can show it: the next user of the same browser cannot, and it cannot be made up.

export const ONCE_COOKIE = "adbooth_once"
const ONCE_SECONDS = 300

interface ShownOnce {
  readonly title: string
  readonly heading?: string
  /** It ends where one goes on afterwards. */
  readonly trail: Trail
  readonly text: string
  readonly secrets: readonly { readonly id: string; readonly label: string; readonly text: string }[]
  readonly isLink?: boolean
  /** The button that goes on. */
  readonly done?: string
  /** What to do with it first, such as opening products to a key. */
  readonly first?: Trail[number]
}

/** Redirects to the page that shows it, in the part of the app that the visitor is in. */
export function showOnce(visit: PersonVisit, secret: ShownOnce): Response {
  const { pathname } = visit.url
  const base = pathname.split("/", pathname.startsWith("/app/o/") ? 4 : 3).join("/")
  const text = Buffer.from(JSON.stringify(secret)).toString("base64url")
  const value = `${text}.${sealOf(visit, text)}`
  const options = { secure: isSecure(visit), maxAgeSeconds: ONCE_SECONDS }
  return goTo(visit, `${base}/once`, undefined, [cookie(ONCE_COOKIE, value, options)])
}

interface ShownLink extends Pick<ShownOnce, "title" | "trail" | "done"> {
  /** Who is to open it. */
  readonly to: Readonly<{ name: string; email: string }>
  readonly path: string
  /** What it is for, as the end of a sentence. */
  readonly purpose: string
}

/** A link that one person uses once. It is mailed where mail is set up, and shown in any case. */
export async function showLink(visit: PersonVisit, link: ShownLink): Promise<Response> {
  const { to, path, purpose, ...rest } = link
  const { name, email } = to
  const works = `It works once, within ${PASSWORD_LINK_HOURS / 24} days, ${purpose}.`
  const letter = {
    to: email,
    subject: "Adbooth: your link",
    text: `${visit.person.name} sends you this link ${purpose}:\n\n${visit.origin}${path}\n\n${works} If you don’t know why you got it, ignore it.\n`,
  }
  const isOn = (await visit.context.mail.inForce()) !== null
  const failed = isOn ? await visit.context.mail.send(letter) : null
  const mailed = !isOn ? "" : failed === null ? `It was mailed to ${email}. ` : `It could not be mailed: ${failed} `
  return showOnce(visit, {
    ...rest,
    text: `${mailed}Send this link only to ${name}. ${works}`,
    secrets: [{ id: "link", label: "One-time link", text: visit.origin + path }],
    isLink: true,
  })
}

function show(visit: PersonVisit): Response {
  const secret = read(visit)
  if (secret === null) return gonePage(visit)
  const headers = { "Set-Cookie": noCookie(ONCE_COOKIE, isSecure(visit)) }
  const { text, secrets, isLink = false, done = "Done", first, ...rest } = secret
  const next = rest.trail.at(-1)?.href ?? "/app"
  return headedPage(visit, {
    ...rest,
    active: rest.trail[0]?.href,
    headers,
    body: (
      <KeyOnce title="Copy it now" text={text} secrets={secrets}>
        {isLink && <LinkNote visit={visit} />}
        <div class="actions">
          {first !== undefined && <ButtonLink kind="primary" {...first} />}
          <ButtonLink kind={first === undefined ? "primary" : "quiet"} href={next} label={done} />
        </div>
      </KeyOnce>
    ),
  })
}

function read(visit: PersonVisit): ShownOnce | null {
  const [text = "", seal] = (visit.cookies.get(ONCE_COOKIE) ?? "").split(".", 2)
  if (text === "" || seal !== sealOf(visit, text)) return null
  return JSON.parse(Buffer.from(text, "base64url").toString()) as ShownOnce
}

const sealOf = ({ sessionHash }: PersonVisit, text: string): string =>
  createHmac("sha256", sessionHash ?? "")
    .update(text)
    .digest("base64url")

const gonePage = (visit: PersonVisit): Response =>
  cardPage(visit, {
    title: "Shown only once",
    heading: "This was shown only once",
    text: "It was shown once and is not stored. If you didn’t copy it, create a new one and revoke the old one.",
    body: (
      <div class="actions">
        <ButtonLink kind="primary" href="/app" label="Continue" />
      </div>
    ),
  })

export const onceRoutes = [
  forSignedIn("GET", "/app/account/once", show),
  forMember("GET", "/app/o/:org/once", show),
  forOperator("GET", "/app/operator/once", show),
]

/** Explains why a link may not begin with the address in the browser. */
function LinkNote({ visit: { context, origin, url } }: { readonly visit: Visit }) {
  if (context.config.publicUrl !== null || origin === url.origin) return null
  return (
    <p class="hint">
      The link begins with {origin} because this server does not know the name {url.hostname}. If others reach it by
      another address, start it with <code>--public-url</code> and create the link again.
    </p>
  )
}
