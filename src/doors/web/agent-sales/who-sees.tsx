import type { Product } from "../../../domain/adcp/schema/product/product.ts"
import type { ListedAgentKey as AgentKeyRow } from "../../../storage/port/store.ts"
import { AGENT_KEY, AGENT_KEYS, at, PRODUCT, PRODUCTS } from "../frame/navigation.ts"
import { ButtonLink } from "../parts/buttons.tsx"
import { Empty } from "../parts/feedback.tsx"
import { CodeChips } from "../parts/form/choices.tsx"
import { headedPage } from "../parts/page.tsx"
import { type Column, PagedTable } from "../parts/table.tsx"
import { forOperator, withFound } from "../route.ts"
import { type PersonVisit, param } from "../visit.ts"
import { activeKeys, openingHref, territoriesOf } from "./opening.tsx"
import { salesTrail } from "./section.tsx"

export const whoSeesHref = (productId: string): string => at(PRODUCT, productId, "keys")

async function find({ context, params }: PersonVisit): Promise<Product | undefined> {
  const { products } = await context.store.catalogue.contents()
  return products.get(params["product"] ?? "") as Product | undefined
}

/** The keys that see a product, and where: the same as on the page of each key. */
async function show(visit: PersonVisit, { name }: Product): Promise<Response> {
  const id = param(visit, "product")
  const keys = await activeKeys(visit)
  const isOpen = (key: AgentKeyRow) => territoriesOf(key, id).length > 0
  const sorted = [...keys.filter(isOpen), ...keys.filter((key) => !isOpen(key))]
  return headedPage(visit, {
    title: `Who sees ${name}`,
    heading: name,
    trail: salesTrail(PRODUCTS),
    tabs: {
      label: "How to edit",
      current: whoSeesHref(id),
      tabs: [
        { href: at(PRODUCT, id), label: "Details" },
        { href: whoSeesHref(id), label: "Who sees it" },
        { href: at(PRODUCT, id, "json"), label: "Edit as JSON" },
      ],
    },
    body: (
      <PagedTable
        url={visit.url}
        caption={`Keys that see ${name}`}
        columns={columnsOf(id, name)}
        rows={sorted}
        rowKey={(key) => key.id}
        what="keys"
        empty={
          <Empty title="No keys yet" text="Buyers’ agents see your products only with a key.">
            <ButtonLink kind="primary" href={`${AGENT_KEYS}#new-key`} label="Make a key" />
          </Empty>
        }
      />
    ),
  })
}

const columnsOf = (id: string, name: string): Column<AgentKeyRow>[] => [
  {
    title: "Buyer’s key",
    cell: (key) => (
      <a class="name" href={at(AGENT_KEY, key.id)}>
        {key.label}
      </a>
    ),
  },
  {
    title: "Sees it in",
    cell: (key) => {
      const territories = territoriesOf(key, id)
      return territories.length === 0 ? <span class="soft">Does not see it</span> : <CodeChips codes={territories} />
    },
  },
  {
    title: "Actions",
    phone: "actions",
    cell: (key) =>
      territoriesOf(key, id).length === 0 ? (
        <ButtonLink small href={openingHref(id, key.id)} label="Open" about={`Open ${name} to ${key.label}`} />
      ) : (
        <ButtonLink
          small
          kind="quiet"
          href={openingHref(id, key.id)}
          label="Change countries"
          about={`Change countries: ${key.label}`}
        />
      ),
  },
]

export const whoSeesRoutes = [forOperator("GET", `${PRODUCT}/:product/keys`, withFound(find, show))]
