export const ROLES = ["admin", "member"] as const

/** What a person may do in an organization. Members see and report delivery. Admins change everything. */
export type Role = (typeof ROLES)[number]

export const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text)
