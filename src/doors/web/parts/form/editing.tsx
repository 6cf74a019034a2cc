import { type Revision, revisionOf } from "../../../../domain/edit-conflict.ts"
import type { Change } from "../../../../domain/people/audit.ts"
import { pageNotFound } from "../../error-pages.tsx"
import { type Errors, readForm, type SentForm } from "../../form.ts"
import { type Answer, type Route, type Router, withFound } from "../../route.ts"
import type { PersonVisit } from "../../visit.ts"
import { type ConflictPlace, conflictPage } from "./conflict.tsx"
import { type Draft, startedFrom } from "./form.tsx"

/** Who saves, and what the form had shown. */
export type SavedBy = Pick<Change, "actor"> & Readonly<{ seen: Revision; shown: Revision }>

/** Where it was saved, the page that follows. */
export type Saved<Typed> =
  | Response
  | { readonly outcome: "changed" | "not found" }
  | { readonly outcome: "refused"; readonly errors: Errors; readonly typed?: Typed }

/** How something is edited in a form. `Found` is what the address names, `Typed` what the form holds of it. */
export interface Editing<Known extends PersonVisit, Found, Typed extends object> {
  find(visit: Known): Promise<Found | null | undefined>
  /** What its form begins with, and the revision of what is stored. */
  start(found: Found, visit: Known): Started<Typed> | Promise<Started<Typed>>
  page(visit: Known, found: Found, draft: Draft<Typed>): Answer
  read(form: SentForm, found: Found): Typed
  save(visit: Known, found: Found, typed: Typed, by: SavedBy): Promise<Saved<Typed>>
  /** Said where somebody else has saved it meanwhile. */
  conflict(found: Found, visit: Known): ConflictPlace
  /** The texts of both versions as they are compared, by the names of their fields: as they are unless given. */
  compared?(mine: Typed, theirs: Typed): { readonly mine: object; readonly theirs: object }
}

type Started<Typed> = Readonly<{ typed: Typed; revision: Revision }>

/** A page with the form, and what answers the form: saved, with errors, or with both versions where two people edited it. */
export function editing<Known extends PersonVisit, Found, Typed extends object>(edit: Editing<Known, Found, Typed>) {
  const compared = edit.compared ?? ((mine: Typed, theirs: Typed) => ({ mine, theirs }))

  async function start(visit: Known, found: Found) {
    const { typed, revision } = await edit.start(found, visit)
    return { typed, started: { revision, shown: revisionOf(compared(typed, typed).mine) } }
  }

  const show = async (visit: Known, found: Found) => edit.page(visit, found, await start(visit, found))

  async function save(visit: Known, found: Found): Promise<Response> {
    const form = await readForm(visit.request)
    const typed = edit.read(form, found)
    const started = startedFrom(form)
    if (form.has("look")) return edit.page(visit, found, { typed, started })
    const by = { actor: visit.actor, seen: started.revision, shown: started.shown }
    const saved = await edit.save(visit, found, typed, by)
    if (saved instanceof Response) return saved
    if (saved.outcome === "refused") return edit.page(visit, found, { typed, started, ...saved })
    if (saved.outcome === "not found") return pageNotFound(visit)
    return withFound(edit.find, async (_, now) => {
      const { typed: theirs, started: fresh } = await start(visit, now)
      const place = { ...edit.conflict(now, visit), shown: by.shown, started: fresh }
      return conflictPage(visit, { ...place, ...compared(typed, theirs) })
    })(visit)
  }

  return { show, save }
}

/** The form is at `path`, and is sent to the same address. */
export function editingRoutes<Known extends PersonVisit, Found, Typed extends object>(
  router: Router<Known>,
  path: string,
  edit: Editing<Known, Found, Typed>,
): Route[] {
  const { show, save } = editing(edit)
  return [router("GET", path, withFound(edit.find, show)), router("POST", path, withFound(edit.find, save))]
}
