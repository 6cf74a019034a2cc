import type { ComponentChildren } from "preact"
import { Badge, Card } from "../../parts/blocks.tsx"
import { Icon } from "../../parts/icon.tsx"

/** What the server does for itself, such as HTTPS: whether it works, and if not, what is wrong and what to do. */
export type ServiceState =
  | { readonly is: "off"; readonly text: string }
  | { readonly is: "working"; readonly facts: readonly (readonly [fact: string, detail: string])[] }
  | { readonly is: "broken"; readonly problem: string; readonly advice: string; readonly meanwhile: string }

const BADGES = {
  off: (
    <Badge tone="off" shape="ring">
      Not set up
    </Badge>
  ),
  working: <Badge tone="good">Working</Badge>,
  broken: (
    <Badge tone="bad" shape="down">
      Problem
    </Badge>
  ),
} as const

type ServiceCardProps = Readonly<{ title: string; state: ServiceState; children?: ComponentChildren }>

/** One card of System. Its buttons are the children. */
export function ServiceCard({ title, state, children }: ServiceCardProps) {
  return (
    <Card title={title} actions={BADGES[state.is]}>
      {state.is === "off" && <p class="small soft">{state.text}</p>}
      {state.is === "working" && (
        <ul class="checks">
          {state.facts.map(([fact, detail]) => (
            <li key={fact}>
              <Icon name="check" />
              <span>
                {fact}
                <small>{detail}</small>
              </span>
            </li>
          ))}
        </ul>
      )}
      {state.is === "broken" && (
        <>
          <ul class="checks">
            <li class="bad">
              <Icon name="warning" />
              <span>{state.problem}</span>
            </li>
          </ul>
          <p>
            <b>What to do:</b> {state.advice}
          </p>
          <p class="small soft">{state.meanwhile}</p>
        </>
      )}
      {children && <div class="actions">{children}</div>}
    </Card>
  )
}
