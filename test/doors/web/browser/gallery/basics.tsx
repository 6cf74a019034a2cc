import { Badge, Banner, ButtonLink, Card, CsvLink } from "../../../../../src/doors/web/parts/blocks.tsx"
import { Segments } from "../../../../../src/doors/web/parts/form/filters.tsx"
import { Breadcrumb, Steps, Tabs } from "../../../../../src/doors/web/parts/page.tsx"

const HERE = "/app/components"

export function Buttons() {
  return (
    <Card label="Buttons">
      <div class="actions">
        <ButtonLink kind="primary" href={HERE} label="Report" />
        <ButtonLink href={HERE} label="Edit" icon="edit" />
        <ButtonLink kind="quiet" href={HERE} label="Cancel" />
        <ButtonLink kind="danger" href={HERE} label="Withdraw the report" />
        <ButtonLink kind="quiet danger" href={HERE} label="Delete" />
        <CsvLink href={HERE} />
        <ButtonLink small href={HERE} label="Open line" />
      </div>
      <div class="actions">
        <button type="button" class="button primary" disabled>
          Not now
        </button>
        <button type="button" class="button primary" aria-busy="true">
          Saving
        </button>
      </div>
    </Card>
  )
}

export function Messages() {
  return (
    <>
      <Banner tone="good">
        <p>
          <b>Saved.</b> 216,363 is the current total of City Walks, pre-roll.
        </p>
      </Banner>
      <Banner tone="info">
        <p>Times are shown in Berlin, the zone of Lighthouse Audio.</p>
      </Banner>
      <Banner tone="warn">
        <p>
          <b>Backups are not scheduled.</b> The last one is 12 days old.
        </p>
        <div class="actions">
          <ButtonLink small href={HERE} label="Schedule backups" />
        </div>
      </Banner>
      <Banner tone="bad">
        <p>
          <b>We could not store this.</b> Nothing was changed; please try again.
        </p>
      </Banner>
      <Card label="Badges">
        <p class="with wraps">
          <Badge tone="live">Running</Badge>
          <Badge tone="good">On pace</Badge>
          <Badge tone="warn" shape="down">
            Behind
          </Badge>
          <Badge tone="over" shape="up">
            Over-delivered
          </Badge>
          <Badge tone="good" shape="done">
            Delivered
          </Badge>
          <Badge tone="bad" shape="ring">
            Silent feed
          </Badge>
          <Badge tone="off" shape="ring">
            Upcoming
          </Badge>
          <Badge tone="off" shape="dash">
            Withdrawn
          </Badge>
          <Badge>Ended</Badge>
        </p>
      </Card>
    </>
  )
}

export function FindingTheWay() {
  const tabs = ["Details", "JSON", "Openings", "History"].map((label) => ({ href: `${HERE}#${label}`, label }))
  const segments = ["24 hours", "14 days", "90 days"]
  return (
    <Card label="Finding the way">
      <Breadcrumb
        trail={[
          { href: HERE, label: "Campaigns" },
          { href: `${HERE}#campaign`, label: "Autumn escapes" },
        ]}
      />
      <Tabs label="Tabs, example" tabs={tabs} current={`${HERE}#Details`} />
      <Segments
        label="Period, example"
        segments={segments.map((label, i) => ({ href: HERE, label, isCurrent: i === 1 }))}
      />
      <Steps steps={["File", "Columns", "Preview", "Done"]} current={2} />
    </Card>
  )
}
