/** One page of a list that grows, newest first: at most `limit` entries with ids below `before` (null: from the newest on). */
export interface PageRequest {
  readonly before: number | null
  readonly limit: number
}
