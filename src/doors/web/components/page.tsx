import type { ComponentChildren } from "preact"
import { headedPage } from "../parts/page-kinds.tsx"
import { forAnyone } from "../route.ts"
import type { Visit } from "../visit.ts"
import { Asking } from "./asking.tsx"
import { Buttons, FindingTheWay, Messages } from "./basics.tsx"
import { Charts } from "./charts.tsx"
import { Fields } from "./fields.tsx"
import { Lists } from "./lists.tsx"

// Every component in every state, for looking at and for tests. Only the demo has this page.

function componentsPage(visit: Visit): Response {
  return headedPage(visit, {
    title: "Components",
    shape: visit.place === null ? "sheet" : "app",
    status: 200,
    intro: "Every part in every state.",
    body: (
      <>
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
          <Lists url={visit.url} />
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

export const componentRoutes = [forAnyone("GET", "/app/components", componentsPage)]
