import api from "../../../../docs/api.md" with { type: "text" }
import app from "../../../../docs/app.md" with { type: "text" }
import buyers from "../../../../docs/buyers.md" with { type: "text" }
import errors from "../../../../docs/errors.md" with { type: "text" }
import install from "../../../../docs/install.md" with { type: "text" }
import operate from "../../../../docs/operate.md" with { type: "text" }
import orders from "../../../../docs/orders.md" with { type: "text" }
import postgres from "../../../../docs/postgres.md" with { type: "text" }
import products from "../../../../docs/products.md" with { type: "text" }
import readme from "../../../../docs/README.md" with { type: "text" }
import report from "../../../../docs/report.md" with { type: "text" }
import settings from "../../../../docs/settings.md" with { type: "text" }

// Every guide of docs/ is embedded here, so that the executable has the guides of its own version.

export interface GuideFile {
  /** The last part of its address, and the name of its file without ".md". */
  readonly name: string
  readonly text: string
}

interface GuideGroup {
  readonly title: string
  readonly guides: readonly GuideFile[]
}

/** The first page, which lists all guides by task. */
export const START: GuideFile = { name: "README", text: readme }

export const GUIDE_GROUPS: readonly GuideGroup[] = [
  {
    title: "Report",
    guides: [
      { name: "app", text: app },
      { name: "report", text: report },
      { name: "errors", text: errors },
      { name: "api", text: api },
    ],
  },
  {
    title: "Sell",
    guides: [
      { name: "products", text: products },
      { name: "orders", text: orders },
      { name: "buyers", text: buyers },
    ],
  },
  {
    title: "Operate",
    guides: [
      { name: "install", text: install },
      { name: "operate", text: operate },
      { name: "postgres", text: postgres },
      { name: "settings", text: settings },
    ],
  },
]

const FILES: readonly GuideFile[] = [START, ...GUIDE_GROUPS.flatMap(({ guides }) => guides)]

/** The guide of this name. Null if there is none. */
export const guideNamed = (name: string): GuideFile | null => FILES.find((file) => file.name === name) ?? null

export const guideAddress = ({ name }: GuideFile): string => (name === START.name ? "/docs" : `/docs/${name}`)

/** The heading in its first line. */
export const guideTitle = ({ text }: GuideFile): string => text.slice("# ".length, text.indexOf("\n"))
