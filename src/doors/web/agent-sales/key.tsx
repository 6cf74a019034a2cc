import { type Preview, previewAgentKey } from "../../../actions/keys/preview-agent-key.ts"
import type { ListedAgentKey as AgentKeyRow } from "../../../storage/port/store.ts"
import { AGENT_KEY, AGENT_KEYS, itemAddress, PRODUCTS, REQUESTS } from "../frame/navigation.ts"
import { forOperator, withFound } from "../guards.ts"
import { ButtonLink, Empty } from "../parts/blocks.tsx"
import { FilterBar } from "../parts/form/filters.tsx"
import { Field } from "../parts/form/form.tsx"
import { Ago } from "../parts/format.tsx"
import { offsetOf, Pages } from "../parts/table.tsx"
import { AskButton, headedPage } from "../respond.tsx"
import type { PersonVisit } from "../visit.ts"
import { AnswerCard, MissingList, SeenList } from "./answer.tsx"
import { revokeQuestion } from "./keys.tsx"
import { findKey } from "./opening.tsx"
import { salesTrail } from "./section.tsx"

// Keeps the page small, and what is worked out for it.
const ROWS_SHOWN = 50

async function show(visit: PersonVisit, key: AgentKeyRow): Promise<Response> {
  const { id, label, prefix, buyerName, createdAt, lastUsedAt } = key
  const preview = await previewAgentKey(visit.context, id, typedQuestion(visit.url).args)
  return headedPage(visit, {
    title: label,
    trail: salesTrail(AGENT_KEYS),
    actions: [
      <ButtonLink href={`${REQUESTS}?caller=${id}`} label="Requests" />,
      <AskButton label="Revoke" question={revokeQuestion(key)} />,
    ],
    intro: (
      <p class="sub">
        <code>{prefix}…</code> · created <Ago at={createdAt} /> ·{" "}
        {lastUsedAt === null ? "not used yet" : <>last request {<Ago at={lastUsedAt} />}</>} ·{" "}
        <a href={itemAddress(AGENT_KEY, id, "buyer")}>{buyerName === null ? "for no buyer" : `for ${buyerName}`}</a>
      </p>
    ),
    body: [<Question visit={visit} id={id} />, preview !== null && <Answer url={visit.url} preview={preview} />],
  })
}

const Question = ({ visit: { url }, id }: { readonly visit: PersonVisit; readonly id: string }) => (
  <FilterBar action={itemAddress(AGENT_KEY, id)} url={url} isFiltered={!typedQuestion(url).isEmpty} submit="Ask">
    <Field name="brief" label="Ask as this buyer would" type="search" placeholder="podcast listeners who plan trips" />
    <Field name="countries" label="Countries" placeholder="DE, AT" />
  </FilterBar>
)

function Answer({ url, preview }: { readonly url: URL; readonly preview: Preview }) {
  const { isEmpty, countries } = typedQuestion(url)
  const { error, products, missing, id, note } = preview
  if (error !== undefined) return <Empty title="The agent would refuse this" text={error} />
  const [first, firstMissing] = [offsetOf(url, "start"), offsetOf(url, "missing")]
  const page = products.slice(first, first + ROWS_SHOWN)
  const briefed = preview.reading?.countries ?? []
  const wanted = [...new Set([...countries, ...briefed])]
  if (products.count === 0 && missing.count === 0) {
    return (
      <Empty title="No products yet" text="Describe one, then show it to this buyer.">
        <ButtonLink kind="primary" href={`${PRODUCTS}/new`} label="New product" />
      </Empty>
    )
  }
  return [
    <AnswerCard
      title={isEmpty ? "Shown to it" : "The answer"}
      count={products.count}
      note={products.count === 0 && isEmpty ? "Nothing is shown to it yet. Choose a product below." : note}
    >
      <SeenList products={page} first={first} keyId={id} wanted={wanted} saysCountries={briefed.length > 0} />
      <Pages url={url} perPage={ROWS_SHOWN} count={products.count} what="products" name="start" />
    </AnswerCard>,
    missing.count > 0 && (
      <AnswerCard title={isEmpty ? "Hidden from it" : "Not in the answer"} count={missing.count}>
        <MissingList missing={missing.slice(firstMissing, firstMissing + ROWS_SHOWN)} keyId={id} wanted={wanted} />
        <Pages url={url} perPage={ROWS_SHOWN} count={missing.count} what="products" name="missing" />
      </AnswerCard>
    ),
  ]
}

export const agentKeyRoutes = [forOperator("GET", `${AGENT_KEY}/:key`, withFound(findKey, show))]

/** What was typed into the fields of the page, as the agent would be asked. */
function typedQuestion({ searchParams: query }: URL) {
  const typed = (name: string) => (query.get(name) ?? "").trim()
  const [brief, codes] = [typed("brief"), typed("countries").match(/[^\s,;]+/g) ?? []]
  const countries = codes.map((code) => code.toUpperCase())
  const args = { ...(brief !== "" && { brief }), ...(codes.length > 0 && { filters: { countries } }) }
  return { args, countries, isEmpty: Object.keys(args).length === 0 }
}
