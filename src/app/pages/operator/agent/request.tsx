import { type Preview, previewAnswer } from "../../../../actions/catalogue/preview.ts"
import { countryName } from "../../../../domain/adcp/catalogue/territory.ts"
import { isObject } from "../../../../domain/schema/explain.ts"
import { callById, type StoredCall } from "../../../../storage/catalogue/calls.ts"
import { idIn } from "../../../find.ts"
import { page } from "../../../page.tsx"
import { Banner, ButtonLink, Card, Copyable, type Fact, Facts, Fold } from "../../../parts/blocks.tsx"
import { formatCount, Time } from "../../../parts/format.tsx"
import { NotFound, type SignedInVisit } from "../../../visit.ts"
import { AnswerCard, MissingCard } from "./answer.tsx"
import { cureLink, cureOf, knownTo, milliseconds, whyInWords } from "./requests.tsx"
import { askedText, callerOf, channelName, keyAddress, REQUESTS, refusalInWords } from "./words.ts"

/** One request: what it named, and what it would be answered today. */
export async function requestPage(visit: SignedInVisit): Promise<Response> {
  const { context } = visit
  await context.database.later.flush()
  const call = await callById(visit.read, idIn(visit, "request"))
  if (call === null) throw new NotFound()
  const known = await knownTo(visit)
  const preview = await askedToday(visit, call)
  const isActive = call.buyerKeyId !== null && known.active.has(call.buyerKeyId)
  return page(visit, {
    title: askedText(call),
    trail: [{ href: REQUESTS, label: "Requests" }],
    intro: (
      <>
        {callerOf(call, known.keys)} · <Time at={call.at} /> · took {milliseconds(call.durationMicros)}
        {call.address !== null && ` · from ${call.address}`}
      </>
    ),
    actions: isActive && preview !== null && (
      <ButtonLink href={askAgain(call)} label="Ask again as this key" icon="eye" />
    ),
    hasTimes: true,
    body: (
      <>
        {call.outcome !== "completed" && <Refusal call={call} preview={preview} />}
        {call.matched !== null && <Named call={call} preview={preview} />}
        {call.matched === 0 && <Miss call={call} known={known} />}
        {preview !== null && preview.answer.outcome === "completed" && (
          <>
            <AnswerCard
              title="The answer today"
              products={preview.products}
              reading={preview.reading}
              keyId={isActive ? call.buyerKeyId : null}
              orderLink={null}
            />
            <MissingCard
              title="Not in the answer"
              missing={preview.missing}
              keyId={isActive ? call.buyerKeyId : null}
            />
          </>
        )}
        <Sent call={call} preview={preview} />
      </>
    ),
  })
}

/** The arguments that were sent. Null if only their start was kept. */
function argumentsOf({ arguments: text }: StoredCall): Readonly<Record<string, unknown>> | null {
  if (text === null) return null
  const args: unknown = JSON.parse(text)
  return isObject(args) && args["shortened"] !== true ? args : null
}

/** The log keeps no answers, so this asks the same request again, for all pages at once. */
async function askedToday({ context }: SignedInVisit, call: StoredCall): Promise<Preview | null> {
  const args = argumentsOf(call)
  if (call.tool !== "get_products" || args === null) return null
  const { pagination: _, ...asked } = args
  return previewAnswer(context, call.buyerKeyId, asked)
}

function askAgain({ buyerKeyId, brief, countries }: StoredCall): string {
  const asked = { ...(brief !== null && { brief }), countries: (countries ?? []).join(", ") }
  return `${keyAddress(buyerKeyId ?? "")}?${new URLSearchParams(asked)}`
}

interface CallProps {
  readonly call: StoredCall
  readonly preview: Preview | null
}

const Refusal = ({ call: { outcome }, preview }: CallProps) => (
  <Banner tone="bad" isCalm>
    <p>
      {refusalInWords(outcome)}. It was answered with the error <code>{outcome}</code>.
    </p>
    {outcome === "CREDENTIAL_IN_ARGS" && <p>What it sent wasn’t kept.</p>}
    {preview !== null && preview.answer.outcome !== "completed" && <p>{preview.message}</p>}
  </Banner>
)

/** The channels and countries in the brief and the filters, as today's search reads them. */
function Named({ call: { channels, countries }, preview }: CallProps) {
  const reading = preview?.reading ?? null
  const quotes = (reading?.notInterpreted ?? []).map((clause) => `“${clause}”`)
  const words = (reading?.words ?? []).map(({ word }) => word)
  const facts: Fact[] = [
    { term: "Channels", value: inWords((channels ?? []).map(channelName)) },
    { term: "Countries", value: inWords((countries ?? []).map(countryName)) },
    { term: "Words searched", value: inWords(words) },
    ...(quotes.length > 0 ? [{ term: "Not interpreted", value: inWords(quotes) }] : []),
  ]
  return (
    <Card title="What it names">
      <Facts facts={facts} />
    </Card>
  )
}

const inWords = (values: readonly string[]) =>
  values.length === 0 ? <span class="soft">None</span> : values.join(", ")

interface MissProps {
  readonly call: StoredCall
  readonly known: Awaited<ReturnType<typeof knownTo>>
}

function Miss({ call, known }: MissProps) {
  const cure = cureOf(call, known)
  return (
    <Card title="No product in the named channel or country">
      <p>{whyInWords(cure, call, known)}</p>
      <div class="actions">
        <ButtonLink {...cureLink(cure, call)} />
      </div>
    </Card>
  )
}

/** The messages themselves, folded. */
function Sent({ call, preview }: CallProps) {
  const { tool, method, arguments: args } = call
  const sent = { name: tool ?? method, ...(args !== null && { arguments: JSON.parse(args) }) }
  return (
    <>
      <Raw id="sent" title="Request" value={sent} />
      {preview !== null && <Raw id="answered" title="Response as it would be now" value={preview.answer.payload} />}
    </>
  )
}

interface RawProps {
  readonly id: string
  readonly title: string
  readonly value: unknown
}

function Raw({ id, title, value }: RawProps) {
  const text = JSON.stringify(value, null, 2)
  return (
    <Fold title={title} note={formatCount(Buffer.byteLength(text), "byte")}>
      <Copyable id={id} label={title} text={text} />
    </Fold>
  )
}
