import { chooseHttps } from "../../../../actions/operations/services.ts"
import { renewalMoment } from "../../../../domain/operations/https.ts"
import { readEmailAddress } from "../../../../domain/operations/service-settings.ts"
import { DOMAIN_RULE, readDomain } from "../../../../domain/text/domain-name.ts"
import { timeInUtc } from "../../../../domain/time/time-zone.ts"
import type { Flash } from "../../cookies.ts"
import { SYSTEM } from "../../frame/navigation.ts"
import { forOperator } from "../../guards.ts"
import { PostButton } from "../../parts/blocks.tsx"
import { Checkbox } from "../../parts/form/choices.tsx"
import { Field } from "../../parts/form/form.tsx"
import { done, goTo, problem } from "../../respond.tsx"
import type { PersonVisit } from "../../visit.ts"
import { ServiceCard, type ServiceState, serviceRoutes } from "./service.tsx"

const PAGE = `${SYSTEM}/https`
const day = (at: number) => timeInUtc(at).split(",")[0] ?? ""

function stateOf({ context, origin }: PersonVisit): ServiceState {
  const { https, config } = context
  const { note, certificate } = https
  const until = certificate === null ? null : timeInUtc(certificate.validUntil)
  if (note?.problem) {
    const served = until === null ? "There is no certificate yet." : `The certificate works until ${until}.`
    const next = note.nextTryAt === null ? "" : ` Tried again by itself on ${timeInUtc(note.nextTryAt)}.`
    return { is: "broken", problem: note.problem, advice: note.advice, meanwhile: `${served}${next}` }
  }
  if (note !== null && certificate !== null) {
    const renewed = config.tlsCert === null ? day(renewalMoment(certificate, 0)) : null
    const then = renewed === null ? "Replace its files before that" : `Renewed by itself around ${renewed}`
    const issued = `By ${certificate.issuer}, since ${day(certificate.validFrom)}`
    return {
      is: "working",
      facts: [
        [certificate.names.join(", "), issued],
        [`Valid until ${until}`, then],
      ],
    }
  }
  if (note !== null) return { is: "off", text: `A certificate for ${note.domains.join(", ")} is being fetched.` }
  if (origin.startsWith("https:")) return { is: "working", facts: [[origin, "A proxy in front of Adbooth does it"]] }
  const text = `People and programs reach this server without encryption, at ${origin}. Passwords can be read on the way.`
  return { is: "off", text }
}

/** Why it is not chosen here; null where it is. */
function whyNotHere({ context: { config, store, settings } }: PersonVisit): string | null {
  if (store.health.engine.startsWith("PostgreSQL"))
    return "With PostgreSQL a proxy in front of the servers does HTTPS, for all of them alike."
  if (settings.domain.from !== "default") return "The server was started with --domain, so this can’t be changed here."
  if (config.tlsCert !== null) return "The server was started with --tls-cert, so this can’t be changed here."
  if (config.publicUrl !== null && settings.publicUrl.from !== "default")
    return "The server was started with --public-url: a proxy in front of it does HTTPS. Remove that setting to let Adbooth do it."
  return null
}

export function HttpsCard({ visit }: { readonly visit: PersonVisit }) {
  const state = stateOf(visit)
  const form = whyNotHere(visit) === null ? { href: PAGE, label: "Set up HTTPS" } : null
  return (
    <ServiceCard title="HTTPS" state={state} form={form}>
      {state.is === "broken" && <PostButton kind="primary" small action={`${PAGE}/try`} label="Try again" />}
    </ServiceCard>
  )
}

/** No page leads to another host, so where the terms are is said. */
function authorityOf(directory: string): string {
  const { host } = new URL(directory)
  return host.endsWith("letsencrypt.org") ? "Let’s Encrypt (letsencrypt.org/repository)" : host
}

const PROXY_HINT = "Takes about 20 seconds. A proxy in front, such as nginx or Caddy, works as well: "
const DOMAIN_HINT = "Its A record must point to this server, and ports 80 and 443 must be reachable from the internet."
const EMAIL_HINT = "The authority writes to it if something is wrong with the certificate."

const formRoutes = serviceRoutes({
  page: PAGE,
  title: "Set up HTTPS",
  submit: "Get certificate",
  pinned: whyNotHere,
  start: ({ context: { config }, person }) => ({
    domain: config.domain.join(", "),
    email: person.email,
    terms: "",
    anyway: "",
  }),
  fields: ({ context }, { terms }, errors) => [
    <Field name="domain" label="Domain" required hint={DOMAIN_HINT} />,
    <Field name="email" type="email" label="Email for notices" hint={EMAIL_HINT} />,
    <Checkbox
      name="terms"
      label={`I accept the terms of ${authorityOf(context.config.acmeDirectory)}`}
      checked={terms === "yes"}
    />,
    errors["anyway"] !== undefined && <Checkbox name="anyway" label="Ask anyway" checked={false} />,
  ],
  hint: () => [PROXY_HINT, <a href="/docs/operations#https">how</a>, "."],
  read: (form) => form.texts("domain", "email", "terms", "anyway"),
  async save({ context, actor }, typed) {
    const { https } = context
    const named = typed.domain.split(/[\s,]+/).map(readDomain)
    const domains = named.filter((name) => name !== undefined)
    const errors = {
      ...(domains.length !== named.length && { domain: `Enter a domain ${DOMAIN_RULE}.` }),
      ...(typed.email !== "" &&
        readEmailAddress(typed.email) === undefined && { email: "Enter an email address, such as me@example.com." }),
      ...(typed.terms !== "yes" && { terms: "The authority issues certificates only to those who accept its terms." }),
    }
    if (Object.keys(errors).length > 0) return { errors }
    const missing = typed.anyway === "yes" ? null : await https.withoutAddress(domains)
    if (missing !== null) {
      const text = `${missing} has no address, as seen from this server. Set its A record at your domain provider; a new one can take an hour.`
      return { errors: { domain: text, anyway: "If you are sure that it has one, ask the authority anyway." } }
    }
    const email = typed.email || null
    const failed = await https.order(domains, email)
    if (failed !== null) return { errors: { domain: `${failed.problem} ${failed.advice} Nothing was saved.` } }
    await chooseHttps(context, { domains, email }, actor)
    return restarted(context, `The certificate for ${domains.join(", ")} is here.`)
  },
  offLabel: ({ context }) => context.https.note && "Turn HTTPS off",
  async turnOff({ context, actor }) {
    await chooseHttps(context, null, actor)
    return restarted(context, "HTTPS is turned off.")
  },
})

/** The new address reaches every part of the program with a new start, which loses no request. */
function restarted({ startAgain }: PersonVisit["context"], text: string): Flash {
  if (startAgain) setTimeout(startAgain, START_AGAIN_MS)
  return done(`${text} ${startAgain ? "It is in use in a few seconds." : "Restart Adbooth to use it."}`)
}

// The answer is on its way first.
const START_AGAIN_MS = 500

async function tryAgain(visit: PersonVisit): Promise<Response> {
  const { https } = visit.context
  await https.tryAgain()
  const why = https.note?.problem ?? null
  return goTo(visit, SYSTEM, why === null ? done("HTTPS works.") : problem(why))
}

export const httpsRoutes = [...formRoutes, forOperator("POST", `${PAGE}/try`, tryAgain)]
