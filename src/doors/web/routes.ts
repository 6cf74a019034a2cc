import { operatorRoutes } from "./operator/routes.ts"
import { linkRoutes } from "./pages/links.tsx"
import { signInRoutes } from "./pages/sign-in.tsx"
import { startRoutes } from "./pages/start.tsx"
import type { Route } from "./route.ts"

/** Every page of the app, with who may use it. */
export const routes: readonly Route[] = [...startRoutes, ...signInRoutes, ...linkRoutes, ...operatorRoutes]
