export const ROLES = ["admin", "member"] as const

/** What somebody may do in an organization: members see and report delivery, admins change everything. */
export type Role = (typeof ROLES)[number]

export const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text)
