import { type ListedFormat, listFormats } from "../../../../actions/catalogue/formats.ts"
import { canonicalOf } from "../../../../domain/adcp/catalogue/canonical.ts"
import { sizesOf } from "../../../../domain/adcp/text.ts"
import type { List } from "../../../list.ts"
import { page } from "../../../page.tsx"
import { Badge, ButtonLink, Empty } from "../../../parts/blocks.tsx"
import { formatCount } from "../../../parts/format.tsx"
import { ListView } from "../../../parts/list.tsx"
import { Name } from "../../../parts/table.tsx"
import type { SignedInVisit } from "../../../visit.ts"
import { FORMATS, formatAddress, kindName } from "./words.ts"

/** Every creative format: the built-in ones and the operator's own. */
export async function formatsPage(visit: SignedInVisit): Promise<Response> {
  const formats = await listFormats(visit.context.database.read)
  return page(visit, {
    title: "Formats",
    intro: "What a creative consists of. Agents see all of these, except hidden ones, without a key.",
    actions: <ButtonLink kind="primary" icon="plus" href={`${FORMATS}/new`} label="New format" />,
    body: <ListView list={FORMAT_LIST} rows={formats} url={visit.url} />,
  })
}

const FORMAT_LIST: List<ListedFormat> = {
  name: "formats",
  searched: "formats, IDs and kinds",
  textsOf: ({ id, format }) => [format.name, id, kindName(canonicalOf(format).kind)],
  states: {
    own: { label: "Yours", has: ({ state }) => state === "own" || state === "replaced" },
    used: { label: "In use", has: ({ usedBy }) => usedBy.length > 0 },
    hidden: { label: "Hidden", has: ({ state }) => state === "hidden" },
  },
  columns: [
    {
      title: "Format",
      cell: ({ id, format }) => (
        <>
          <Name href={formatAddress(id)}>{format.name}</Name>
          <small>{id}</small>
        </>
      ),
      sort: ({ format }) => format.name,
    },
    {
      title: "Kind",
      cell: ({ format }) => kindName(canonicalOf(format).kind),
      sort: ({ format }) => kindName(canonicalOf(format).kind),
    },
    { title: "Size", cell: ({ format }) => sizesOf(format).join(", ") || <span class="soft">–</span> },
    {
      title: "Used by",
      cell: ({ usedBy }) => (usedBy.length === 0 ? <span class="soft">–</span> : formatCount(usedBy.length, "product")),
      sort: ({ usedBy }) => usedBy.length,
    },
    { title: "State", cell: ({ state }) => <FormatBadge state={state} />, onPhone: "corner" },
  ],
  empty: <Empty title="No formats" text="Create one." />,
}

export function FormatBadge({ state }: Pick<ListedFormat, "state">) {
  if (state === "hidden")
    return (
      <Badge tone="off" shape="ring">
        Hidden
      </Badge>
    )
  if (state === "own") return <Badge tone="good">Yours</Badge>
  if (state === "replaced") return <Badge tone="info">Your version</Badge>
  return (
    <Badge tone="off" shape="word">
      Built-in
    </Badge>
  )
}
