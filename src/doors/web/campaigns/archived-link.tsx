import { withQuery } from "../paging.ts"

export const ARCHIVED = "archived"
export const ARCHIVED_QUERY = `?${ARCHIVED}=yes`

/** Whether the address asks for what is archived. */
export const showsArchived = (url: URL) => url.searchParams.get(ARCHIVED) === "yes"

/** Leads from a list to what is archived, and back. */
export function ArchivedLink({ url }: { readonly url: URL }) {
  const shows = showsArchived(url)
  const plain = new URL(url)
  plain.searchParams.delete("from")
  return (
    <p class="soft">
      <a href={withQuery(plain, ARCHIVED, shows ? null : "yes")}>
        {shows ? "Show current ones" : "Show archived ones"}
      </a>
    </p>
  )
}
