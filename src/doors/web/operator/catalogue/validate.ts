import type { Errors } from "../../form.ts"

export const hasErrors = (errors: Errors): boolean => Object.keys(errors).length > 0
