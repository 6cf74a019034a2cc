import { domainWithoutAddress, setUpHttps, turnHttpsOff } from "../../../../actions/operations/services.ts"
import { httpsInForce } from "../../../../actions/settings.ts"
import { errorsIn, hasErrors } from "../../../../domain/errors.ts"
import { DOMAIN } from "../../../../domain/operations/setting-kinds.ts"
import { emailProblem } from "../../../../domain/people/person.ts"
import { goTo } from "../../../flash.ts"
import { AskLink } from "../../../parts/blocks.tsx"
import { Field } from "../../../parts/fields.tsx"
import type { SignedInVisit } from "../../../visit.ts"
import { offForm, SetByOption, SYSTEM, serviceForm } from "./service.tsx"

const HTTPS = `${SYSTEM}/https`

async function findHttps({ context }: SignedInVisit) {
  const { databaseUrl, tlsCert } = context.config
  // Why the server doesn't do HTTPS by itself. Null if it can.
  const instead =
    databaseUrl !== null
      ? "With PostgreSQL, a proxy in front of the servers does HTTPS for all of them."
      : tlsCert === null
        ? null
        : "The server uses the certificate set with --tls-cert and --tls-key."
  return { ...(await httpsInForce(context)), instead }
}

export const httpsForm = serviceForm({
  title: "HTTPS",
  intro: "Adbooth gets a free certificate from Let’s Encrypt, and renews it in time.",
  find: findHttps,
  submit: "Get certificate",
  note: "It takes up to half a minute.",
  decided({ domains, instead }) {
    if (instead !== null) return <p>{instead}</p>
    return domains.from === "option" ? <SetByOption value={domains.value.join(", ")} options="--domain" /> : null
  },
  fields: () => (
    <>
      <Field
        name="domains"
        label="Domain"
        hint="It must point to this server, and ports 80 and 443 must be open. Separate several domains with commas."
        required
      />
      <Field
        name="email"
        label="Email for notices"
        type="email"
        hint="The certificate authority writes to this address if something is wrong with the certificate."
      />
    </>
  ),
  buttons: ({ domains: { from, value } }) =>
    from === "app" &&
    value.length > 0 && <AskLink href={`${HTTPS}/off`} label="Turn HTTPS off" about="Turn HTTPS off" />,
  begin: ({ user }, { domains, email }) => ({
    texts: { domains: domains.value.join(", "), email: domains.value.length === 0 ? user.email : (email ?? "") },
  }),
  async save(visit, _, { domains = "", email = "" }) {
    const names = domains.split(/[\s,;]+/).filter((name) => name !== "")
    const read = names.map((name) => DOMAIN.read(name))
    const known = read.filter((name) => name !== null)
    const hasDomains = names.length > 0 && known.length === names.length
    const errors = errorsIn({
      domains: hasDomains ? undefined : "Enter a domain of your own, such as ads.example.com.",
      email: email === "" ? undefined : emailProblem(email),
    })
    if (hasErrors(errors)) return { errors }
    const missing = await domainWithoutAddress(known)
    if (missing !== null)
      return { errors: { domains: `${missing} has no address yet. Point it at this server at your domain provider.` } }
    const failed = await setUpHttps(visit.context, visit.actor, { domains: known, email: email || null })
    if (failed !== null)
      return {
        errors: { domains: `There is no certificate, so nothing was saved. ${failed.problem} ${failed.advice}` },
      }
    return goTo(visit, SYSTEM, `HTTPS is on: https://${known[0]}.`)
  },
})

export const httpsOffForm = offForm({
  title: "Turn HTTPS off?",
  text: "Browsers and programs then connect without encryption, unless a proxy in front of the server does it.",
  submit: "Turn HTTPS off",
  cancel: HTTPS,
  turnOff: ({ context, actor }) => turnHttpsOff(context, actor),
  done: "HTTPS is off.",
})
