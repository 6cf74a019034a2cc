import type { DeliverySource } from "../../../../domain/delivery/delivery.ts"
import type { Connection } from "../../engine/connection.ts"
import type { Transaction } from "../../engine/transaction.ts"

const SOURCES_MAX = 1_000

const GIVEN = "unnest($1::text[], $2::text[], $3::text[]) AS given(kind, reference, detail)"

// In one order, so that two replicas that add the same ones do not wait for each other.
const ADD = `INSERT INTO delivery_source (kind, reference, detail) SELECT * FROM ${GIVEN}
  ORDER BY kind COLLATE "C", reference COLLATE "C", detail COLLATE "C" ON CONFLICT DO NOTHING`

const FIND = `SELECT id, kind, reference, detail FROM ${GIVEN} JOIN delivery_source USING (kind, reference, detail)`

// With its length, so that no two have the same name: this is faster than JSON.
const nameOf = ({ kind, reference, detail }: DeliverySource) => `${kind} ${reference.length} ${reference}${detail}`

/** The ids of sources. They are remembered once they are committed. */
export function deliverySources({ caches }: Pick<Connection, "caches">) {
  const cachedIds = caches.map<string, number>(SOURCES_MAX)

  async function find(transaction: Transaction, sources: readonly DeliverySource[]) {
    const ids = new Map<string, number>()
    const unknown = new Map<string, DeliverySource>()
    for (const source of sources) {
      const name = nameOf(source)
      const id = cachedIds.get(name)
      if (id === undefined) unknown.set(name, source)
      else ids.set(name, id)
    }
    const added = unknown.size === 0 ? [] : await add(transaction, [...unknown.values()])
    for (const source of added) ids.set(nameOf(source), source.id)
    return {
      idOf(source: DeliverySource): number {
        const id = ids.get(nameOf(source))
        if (id === undefined) throw new Error("a delivery source was neither found nor added")
        return id
      },
      committed(): void {
        for (const source of added) cachedIds.set(nameOf(source), source.id, transaction.terms)
      },
    }
  }

  return { find }
}

async function add({ rows }: Transaction, sources: readonly DeliverySource[]) {
  const given = [
    sources.map(({ kind }) => kind),
    sources.map(({ reference }) => reference),
    sources.map(({ detail }) => detail),
  ]
  const [, stored] = await Promise.all([rows(ADD, given), rows<DeliverySource & { readonly id: number }>(FIND, given)])
  return stored
}
