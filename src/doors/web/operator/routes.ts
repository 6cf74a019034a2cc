import type { Route } from "../route.ts"
import { agentKeyRoutes } from "./agent-keys.tsx"
import { auditRoutes } from "./audit.tsx"
import { backupRoutes } from "./backups.tsx"
import { callRoutes } from "./calls.tsx"
import { formatEditRoutes } from "./format-edit.tsx"
import { formatRoutes } from "./formats.tsx"
import { openingRoutes } from "./openings.tsx"
import { organizationRoutes } from "./organizations.tsx"
import { overviewRoutes } from "./overview.tsx"
import { productEditRoutes } from "./product-edit.tsx"
import { productRoutes } from "./products.tsx"
import { seesRoutes } from "./sees.tsx"
import { systemRoutes } from "./system.tsx"
import { userRoutes } from "./users.tsx"

/** The pages of whoever runs the installation. */
export const operatorRoutes: readonly Route[] = [
  ...overviewRoutes,
  ...organizationRoutes,
  ...userRoutes,
  ...productRoutes,
  ...productEditRoutes,
  ...formatRoutes,
  ...formatEditRoutes,
  ...agentKeyRoutes,
  ...seesRoutes,
  ...openingRoutes,
  ...callRoutes,
  ...auditRoutes,
  ...backupRoutes,
  ...systemRoutes,
]
