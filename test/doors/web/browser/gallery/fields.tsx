import { Card } from "../../../../../src/doors/web/parts/blocks.tsx"
import {
  Checkbox,
  CheckGroup,
  CountryPicker,
  RadioCards,
  Select,
} from "../../../../../src/doors/web/parts/form/choices.tsx"
import {
  DateTimeField,
  Field,
  FileField,
  Form,
  MoneyField,
  TextArea,
} from "../../../../../src/doors/web/parts/form/form.tsx"

const HERE = "/app/components"

const BASES = ["Impressions", "Downloads", "Flat rate"].map((label) => ({ value: label, label }))
const FORMATS = [
  "Podcast pre-roll, 30 seconds",
  "Audio spot, 30 seconds",
  "Audio spot, 15 seconds",
  "Audio by DAAST tag",
  "Podcast host-read",
  "Leaderboard 728×90",
].map((label) => ({ value: label, label }))

const VALUES = {
  text: "Podcast host",
  number: "420,000",
  amount: "14.50",
  currency: "EUR",
  day: "2026-11-14",
  time: "23:59",
  choice: "Downloads",
  lines: "Thirty seconds before each walk through a European city.",
  one: "guaranteed",
}

const WRONG = {
  wrong_text: "Enter a name of at most 200 characters.",
  wrong_number: "1.000 can mean 1,000 or 1. Type 1000 or 1.0.",
  wrong_amount: "14,500 can mean 14500 or 14.5.",
  wrong_day: "15 Nov, 18:00 is later than now (10:40).",
  wrong_choice: "Choose one of these.",
  wrong_countries_add: '"UK": no country has this code or name.',
  wrong_file: "Choose a file.",
}

export function Fields() {
  return (
    <div class="cols">
      <Card title="As they are">
        <Form action={HERE} submit="Save" cancel={HERE} values={VALUES}>
          <Field
            name="text"
            label="Text"
            required
            hint="The system that uses it, such as “Ad server, nightly export”."
          />
          <Field name="empty" label="Empty" placeholder="Lighthouse Audio" />
          <Field name="number" label="Number with unit" unit="impressions" inputmode="numeric" required />
          <MoneyField name="amount" currency="currency" label="Money" unit="CPM" required />
          <DateTimeField name="day" time="time" label="Date and time, with the zone" zone="Europe/Berlin" />
          <Select name="choice" label="Choice" choices={BASES} />
          <TextArea name="lines" label="Several lines" rows={3} prose />
          <RadioCards name="one" label="One of two" choices={DELIVERY} />
          <Checkbox name="agreed" label="Tick to agree" checked />
          <CheckGroup
            name="formats"
            label="Several of many"
            find="a format"
            choices={FORMATS}
            checked={FORMATS.slice(0, 2).map(({ value }) => value)}
          />
          <CountryPicker name="countries" label="Countries" chosen={["AT", "DE", "CH"]} />
          <FileField name="file" label="CSV file" accept=".csv" hint="Choose a file or drop it here. At most 20 MB." />
        </Form>
      </Card>
      <Card title="Wrong">
        <Form action={HERE} submit="Save" values={{ ...VALUES, wrong_number: "1.000" }} errors={WRONG}>
          <Field name="wrong_text" label="Text" required hint="What the buyer calls it." />
          <Field name="wrong_number" label="Number with unit" unit="downloads" inputmode="decimal" required />
          <MoneyField name="wrong_amount" currency="wrong_currency" label="Money" unit="CPM" required />
          <DateTimeField name="wrong_day" time="wrong_time" label="Measured" zone="Europe/Berlin" />
          <Select name="wrong_choice" label="Choice" choices={BASES} />
          <CountryPicker name="wrong_countries" label="Countries" chosen={["*"]} />
          <FileField name="wrong_file" label="CSV file" accept=".csv" />
        </Form>
      </Card>
    </div>
  )
}

const DELIVERY = [
  { value: "guaranteed", label: "Guaranteed", note: "What is booked is delivered, or made good." },
  { value: "not", label: "Not guaranteed", note: "As much as there is room for." },
]
