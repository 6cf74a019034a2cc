import { formatCount } from "../../parts/format.tsx"

const PARAMETER = "archived"

/** Whether the address asks for archived rows in place of the others. */
export const showsArchived = ({ searchParams }: URL): boolean => searchParams.get(PARAMETER) === "yes"

interface ArchivedLinkProps {
  readonly url: URL
  readonly count: number
  /** "campaign", "line" */
  readonly noun: string
}

/** Leads from a list to its archived rows, and back. */
export function ArchivedLink({ url, count, noun }: ArchivedLinkProps) {
  const isShown = showsArchived(url)
  if (!isShown && count === 0) return null
  return (
    <p class="no-print">
      {isShown ? (
        <a href={url.pathname}>Show {noun}s that aren’t archived</a>
      ) : (
        <a href={`?${PARAMETER}=yes`}>{formatCount(count, `archived ${noun}`)}</a>
      )}
    </p>
  )
}
