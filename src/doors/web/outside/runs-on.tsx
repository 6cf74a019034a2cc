import type { Visit } from "../visit.ts"

/** The last line of a page for strangers. */
export const RunsOn = ({ visit }: { readonly visit: Visit }) => (
  <p class="hint center no-print">
    {new URL(visit.origin).host} · runs on <b>Adbooth</b>
  </p>
)
