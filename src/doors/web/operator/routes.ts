import type { Route } from "../route.ts"
import { agentKeyRoutes } from "./agent-keys.tsx"
import { auditRoutes } from "./audit.tsx"
import { backupRoutes } from "./backups/page.tsx"
import { callRoutes } from "./calls.tsx"
import { formatEditRoutes } from "./catalogue/format-edit.tsx"
import { formatRoutes } from "./catalogue/formats.tsx"
import { keyPreviewRoutes } from "./catalogue/key-preview.tsx"
import { openingRoutes } from "./catalogue/openings.tsx"
import { productEditRoutes } from "./catalogue/product-edit.tsx"
import { productRoutes } from "./catalogue/products.tsx"
import { organizationRoutes } from "./organizations.tsx"
import { overviewRoutes } from "./overview.tsx"
import { systemRoutes } from "./system.tsx"
import { userRoutes } from "./users.tsx"

/** The operator's pages. */
export const operatorRoutes: readonly Route[] = [
  ...overviewRoutes,
  ...organizationRoutes,
  ...userRoutes,
  ...productRoutes,
  ...productEditRoutes,
  ...formatRoutes,
  ...formatEditRoutes,
  ...agentKeyRoutes,
  ...keyPreviewRoutes,
  ...openingRoutes,
  ...callRoutes,
  ...auditRoutes,
  ...backupRoutes,
  ...systemRoutes,
]
