/** The operator works for everybody, so that times on these pages belong to no organization. */
export const ZONE = "UTC"
