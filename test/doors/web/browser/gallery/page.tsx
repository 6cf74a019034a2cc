import type { ComponentChildren } from "preact"
import { PageHead } from "../../../../../src/doors/web/parts/page.tsx"
import { page } from "../../../../../src/doors/web/respond.tsx"
import type { Visit } from "../../../../../src/doors/web/visit.ts"
import { Asking } from "./asking.tsx"
import { Buttons, FindingTheWay, Messages } from "./basics.tsx"
import { Charts } from "./charts.tsx"
import { Fields } from "./fields.tsx"
import { Lists } from "./lists.tsx"

/** Every component in every state, in the frame of an operator's page, for looking at. */
export function galleryPage(origin: string, now: number): Response {
  const url = new URL("/app/components", origin)
  const person = { userId: 1, email: "ola@example.com", name: "Ola Operator", isOperator: true, hasTotp: true }
  const place = {
    organization: null,
    role: "admin",
    isOperator: true,
    onlyBuys: false,
    hasCodes: false,
    hadKeys: true,
    hasLines: true,
    hasProducts: false,
    hasSeveralSellers: false,
    systemNeeds: [],
    needing: null,
    orders: null,
    settling: [],
  } as const
  // What a page needs of a visit to be drawn.
  const visit: Pick<Visit, "url" | "request" | "now" | "zone" | "place" | "flash" | "origin"> & { person: object } = {
    url,
    request: new Request(url),
    now,
    zone: "UTC",
    person: { ...person, organizations: [] },
    place: { ...place, organizations: [] },
    flash: null,
    origin,
  }
  return page(visit as Visit, {
    title: "Components",
    status: 200,
    body: (
      <>
        <PageHead title="Components">Every part in every state.</PageHead>
        <Spec title="Buttons">
          <Buttons />
        </Spec>
        <Spec title="Fields">
          <Fields />
        </Spec>
        <Spec title="Messages and badges">
          <Messages />
        </Spec>
        <Spec title="Charts and figures">
          <Charts />
        </Spec>
        <Spec title="Lists">
          <Lists url={url} />
        </Spec>
        <Spec title="Finding the way">
          <FindingTheWay />
        </Spec>
        <Spec title="Asking first, keys, code">
          <Asking />
        </Spec>
      </>
    ),
  })
}

function Spec({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="section-plain stack">
      <h2>{title}</h2>
      {children}
    </section>
  )
}
