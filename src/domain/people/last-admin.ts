/** There is always an operator, and an organization that has an admin keeps one: whether a change would take away the last. */
export const takesLast = (before: ReadonlySet<unknown>, after: ReadonlySet<unknown>): boolean =>
  before.size > 0 && after.size === 0
