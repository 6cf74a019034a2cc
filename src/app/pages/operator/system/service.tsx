import type { ComponentChildren } from "preact"
import type { InForce } from "../../../../domain/operations/setting-kinds.ts"
import { Badge, ButtonLink, Card, Facts } from "../../../parts/blocks.tsx"
import { Field } from "../../../parts/fields.tsx"
import { Icon } from "../../../parts/icon.tsx"

// What the server does for itself, such as HTTPS, has a card on the System page and a form of its own.

export const SYSTEM = "/app/operator/system"
export const SYSTEM_TRAIL = [{ href: SYSTEM, label: "System" }]

/** Where a value comes from, in words. */
export const originOf = ({ from }: InForce<unknown>): string =>
  ({ option: "Set by a server option", app: "Chosen here", default: "Default" })[from]

interface ServiceCardProps {
  readonly title: string
  readonly href: string
  /** What the button says before the service is set up. */
  readonly setUp: string
  /** The drawback of not setting it up. */
  readonly without: string
  /** The value in force in words. Null if the service isn't set up. */
  readonly value: string | null
  readonly origin: string
  /** How it's doing: the check's fact and advice. */
  readonly detail?: string | undefined
  readonly problem?: { readonly detail: string; readonly advice: string } | undefined
  /** Buttons beside the one that leads to the form. */
  readonly children?: ComponentChildren
}

export function ServiceCard(props: ServiceCardProps) {
  const { title, href, setUp, without, value, origin, detail, problem, children } = props
  const isOff = value === null
  return (
    <Card title={title} actions={<ServiceBadge isOff={isOff} isBroken={problem !== undefined} />}>
      {isOff ? (
        <p class="small soft">{without}</p>
      ) : (
        <Facts facts={[{ term: "In force", value: <span class="wrap">{value}</span>, note: origin }]} />
      )}
      {problem !== undefined && <ServiceProblem {...problem} />}
      {!isOff && problem === undefined && detail !== undefined && <p class="small soft">{detail}</p>}
      <div class="actions">
        <ButtonLink
          isSmall
          {...(isOff && { kind: "primary" })}
          href={href}
          label={isOff ? setUp : "Change"}
          about={isOff ? setUp : `Change: ${title}`}
        />
        {children}
      </div>
    </Card>
  )
}

function ServiceBadge({ isOff, isBroken }: { readonly isOff: boolean; readonly isBroken: boolean }) {
  if (isBroken) return <Badge tone="bad">Problem</Badge>
  if (isOff)
    return (
      <Badge tone="off" shape="ring">
        Not set up
      </Badge>
    )
  return <Badge tone="good">On</Badge>
}

const ServiceProblem = ({ detail, advice }: { readonly detail: string; readonly advice: string }) => (
  <>
    <p class="reason bad">
      <Icon name="warning" />
      <span>{detail}</span>
    </p>
    <p>
      <b>What to do:</b> {advice}
    </p>
  </>
)

interface SetByOptionProps {
  readonly value: string
  readonly options: string
}

/** In place of a form whose values an option of the server decides. */
export const SetByOption = ({ value, options }: SetByOptionProps) => (
  <p>
    A server option takes precedence: <b class="wrap">{value}</b>. To choose it here, start the server without{" "}
    <code>{options}</code>.
  </p>
)

interface SecretFieldProps {
  readonly name: string
  readonly label: string
  readonly isStored: boolean
  readonly hint?: string
}

/** A password or key. The stored one is never shown. */
export const SecretField = ({ name, label, isStored, hint = "" }: SecretFieldProps) => (
  <Field
    name={name}
    label={label}
    type="password"
    hint={isStored ? `Leave it empty to keep the stored one. ${hint}` : hint}
    autocomplete="new-password"
  />
)
