import { BODY_BYTES_MAX } from "../../http/body.ts"
import { page } from "../page.tsx"
import type { PageHandler, Visit } from "../visit.ts"
import { type FormOf, type FormState, firstState, merge, readForm } from "./form.ts"

/** The two handlers of a form: for a GET and for a POST. */
export function formPage<V extends Visit, Target>(form: FormOf<V, Target>): Record<"show" | "submit", PageHandler<V>> {
  /** A view may answer with another page. */
  async function view(visit: V, target: Target, state: FormState): Promise<Response> {
    const shown = await form.view(visit, target, state)
    return shown instanceof Response ? shown : page(visit, { form: state, ...shown })
  }

  return {
    async show(visit) {
      const target = await form.find(visit)
      const { kept } = visit
      const first = firstState(addressOf(visit), form.begin?.(visit, target))
      if (kept === null) return view(visit, target, first)
      const remarks = await form.preview?.(visit, target, kept.texts)
      const notes = { ...remarks?.notes, "": SIGNED_IN_AGAIN }
      return view(visit, target, { ...first, ...remarks, notes, texts: kept.texts, began: kept.began })
    },
    async submit(visit) {
      const target = await form.find(visit)
      const { texts, files, began, isPreview } = await readForm(visit.request, form.bytesMax ?? BODY_BYTES_MAX)
      const address = addressOf(visit)
      const state = { ...firstState(address), isSent: !isPreview, texts, began }
      if (isPreview) return view(visit, target, { ...state, ...(await form.preview?.(visit, target, texts)) })
      const saved = await form.save(visit, target, texts, began?.version ?? "", files)
      if (saved instanceof Response) return saved
      if (saved !== "changed") return view(visit, target, { ...state, ...saved })
      const newTarget = await form.find(visit)
      const fresh = firstState(address, form.begin?.(visit, newTarget))
      return view(visit, newTarget, { ...fresh, ...merge(texts, began?.texts ?? {}, fresh.texts), isSent: true })
    },
  }
}

const addressOf = ({ url }: Visit) => url.pathname + url.search

const SIGNED_IN_AGAIN = "You’re signed in again, and nothing is saved yet. Check what you typed, then save it."
