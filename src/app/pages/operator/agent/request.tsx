import { previewAnswer } from "../../../../actions/catalogue/preview.ts"
import { countryName } from "../../../../domain/adcp/catalogue/territory.ts"
import { isObject } from "../../../../domain/schema/explain.ts"
import { callById, type StoredCall } from "../../../../storage/catalogue/calls.ts"
import { idIn } from "../../../find.ts"
import { page } from "../../../page.tsx"
import { Banner, ButtonLink, Card, Copyable, Facts } from "../../../parts/blocks.tsx"
import { Time } from "../../../parts/format.tsx"
import { orNotFound, type SignedInVisit } from "../../../visit.ts"
import { cureLink, cureOf, type Known, knownTo, milliseconds, whyInWords } from "./requests.tsx"
import { askedText, callerOf, channelName, keyAddress, REQUESTS, refusalInWords } from "./words.ts"

/** One request: what it named, why no product fits, and what was sent. */
export async function requestPage(visit: SignedInVisit): Promise<Response> {
  const { context, read } = visit
  await context.database.later.flush()
  const call = orNotFound(await callById(read, idIn(visit, "request")))
  const known = await knownTo(visit)
  const { tool, method, outcome, matched, arguments: args } = call
  const sent = { name: tool ?? method, ...(args !== null && { arguments: JSON.parse(args) }) }
  const mayAskAgain = tool === "get_products" && args !== null && known.active.has(call.buyerKeyId ?? "")
  return page(visit, {
    title: askedText(call),
    trail: [{ href: REQUESTS, label: "Requests" }],
    intro: (
      <>
        {callerOf(call, known.keys)} · <Time at={call.at} /> · took {milliseconds(call.durationMicros)}
        {call.address !== null && ` · from ${call.address}`}
      </>
    ),
    actions: mayAskAgain && <ButtonLink href={askAgain(call)} label="Ask again as this key" icon="eye" />,
    hasTimes: true,
    body: (
      <>
        {outcome !== "completed" && refusal(outcome, await refusalNow(visit, call))}
        {matched !== null && named(call, known)}
        <Card title="What it sent">
          <Copyable id="sent" label="Request" text={JSON.stringify(sent, null, 2)} />
        </Card>
      </>
    ),
  })
}

/** The answer today is on the page of the key. */
function askAgain({ buyerKeyId, brief, countries }: StoredCall): string {
  const asked = { ...(brief !== null && { brief }), countries: (countries ?? []).join(", ") }
  return `${keyAddress(buyerKeyId ?? "")}?${new URLSearchParams(asked)}`
}

/** What is wrong with a refused request. The log keeps no answers, so this asks the same once more. */
async function refusalNow({ context }: SignedInVisit, call: StoredCall): Promise<string | null> {
  const args: unknown = JSON.parse(call.arguments ?? "null")
  // Only the start of a long request was kept.
  if (call.tool !== "get_products" || !isObject(args) || args["shortened"] === true) return null
  const { answer, message } = await previewAnswer(context, call.buyerKeyId, args)
  return answer.outcome === "completed" ? null : message
}

const refusal = (outcome: string, message: string | null) => (
  <Banner tone="bad" isCalm>
    <p>
      {refusalInWords(outcome)}. It was answered with the error <code>{outcome}</code>.
    </p>
    {outcome === "CREDENTIAL_IN_ARGS" && <p>What it sent wasn’t kept.</p>}
    {message !== null && <p>{message}</p>}
  </Banner>
)

/** The channels and countries in the brief and the filters, and what to do if no product has them. */
function named(call: StoredCall, known: Known) {
  const { channels, countries, matched } = call
  const cure = matched === 0 ? cureOf(call, known) : null
  const facts = [
    { term: "Channels", value: inWords((channels ?? []).map(channelName)) },
    { term: "Countries", value: inWords((countries ?? []).map(countryName)) },
  ]
  return (
    <Card title={cure === null ? "What it names" : "No product in the named channel or country"}>
      <Facts facts={facts} />
      {cure !== null && (
        <>
          <p>{whyInWords(cure, call, known)}</p>
          <div class="actions">
            <ButtonLink {...cureLink(cure, call)} />
          </div>
        </>
      )}
    </Card>
  )
}

const inWords = (values: readonly string[]) =>
  values.length === 0 ? <span class="soft">None</span> : values.join(", ")
