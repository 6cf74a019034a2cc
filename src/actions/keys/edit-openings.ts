import { normalTerritories, type Opening, readTerritories } from "../../domain/keys/opening.ts"
import type { OpeningChange } from "../../storage/port/store.ts"
import { type Context, writesOf } from "../context.ts"

/** A typed cell of the table of keys and products; empty closes the product. */
export interface OpeningCell {
  readonly agentKeyId: string
  readonly productId: string
  readonly text: string
}

export type OpeningsOutcome =
  | { readonly outcome: "done"; readonly opened: number; readonly closed: number }
  | { readonly outcome: "refused"; readonly wrong: readonly (OpeningCell & { readonly message: string })[] }
  /** Somebody else changed the catalogue since the table was shown. */
  | { readonly outcome: "changed meanwhile" }

/** Opens, changes or closes products as the cells say; all or nothing. `seenRevision` is the revision that was shown. */
export async function editOpenings(
  context: Context,
  cells: readonly OpeningCell[],
  seenRevision: number,
  actor: string,
): Promise<OpeningsOutcome> {
  const read = cells.map((cell) => ({ cell, territories: readTerritories(cell.text) }))
  const wrong = read.flatMap(({ cell, territories }) =>
    territories.ok ? [] : [{ ...cell, message: territories.message }],
  )
  if (wrong.length > 0) return { outcome: "refused", wrong }
  const before = await openingsNow(context)
  const changes = read.flatMap(({ cell, territories }): OpeningChange[] => {
    const { agentKeyId, productId } = cell
    const wanted = territories.ok && territories.codes.length > 0 ? normalTerritories(territories.codes) : []
    const current = before.get(agentKeyId)?.find((opening) => opening.productId === productId)?.territories ?? []
    return wanted.join() === current.join() ? [] : [{ agentKeyId, productId, territories: wanted }]
  })
  const done = await writesOf(context).agentKeys.changeOpenings(changes, seenRevision, { actor, at: context.clock() })
  if (!done) return { outcome: "changed meanwhile" }
  const closed = changes.filter(({ territories }) => territories.length === 0).length
  return { outcome: "done", opened: changes.length - closed, closed }
}

async function openingsNow({ store }: Context): Promise<Map<string, readonly Opening[]>> {
  const keys = await store.agentKeys.list()
  return new Map(keys.map(({ id, openings }) => [id, openings]))
}
