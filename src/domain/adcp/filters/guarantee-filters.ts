import { canonicalJson } from "../digest.ts"
import type { Product } from "../schema/product/product.ts"
import type { ProductFilters } from "../tools/product-filters-input.ts"

type Standard = NonNullable<ProductFilters["required_performance_standards"]>[number]
type VendorMetric = NonNullable<ProductFilters["required_vendor_metrics"]>[number]
type Signal = NonNullable<ProductFilters["signal_targeting"]>[number]

export function reportsAll(product: Product, metrics: readonly string[]): boolean {
  const reported: readonly string[] = product.reporting_capabilities.available_metrics
  return metrics.every((metric) => reported.includes(metric))
}

export function reportsVendorMetrics(product: Product, asked: readonly VendorMetric[]): boolean {
  const reported = product.reporting_capabilities.vendor_metrics ?? []
  return asked.every(({ vendor, metric_id }) =>
    reported.some(
      (metric) =>
        (vendor === undefined || metric.vendor.domain === vendor.domain) &&
        (metric_id === undefined || metric.metric_id === metric_id),
    ),
  )
}

// For invalid traffic less is better; for everything else more.
const isAtLeastAsGood = (metric: string, promised: number, asked: number) =>
  metric === "ivt" ? promised <= asked : promised >= asked

export function promisesAll(product: Product, asked: readonly Standard[]): boolean {
  const promised = product.performance_standards ?? []
  return asked.every((wanted) =>
    promised.some(
      (standard) =>
        standard.metric === wanted.metric &&
        isAtLeastAsGood(wanted.metric, standard.threshold, wanted.threshold) &&
        standard.vendor.domain === wanted.vendor.domain &&
        (wanted.standard === undefined || standard.standard === wanted.standard),
    ),
  )
}

export function offersSignals(product: Product, asked: readonly Signal[]): boolean {
  if (product.signal_targeting_allowed !== true) return false
  const options = product.signal_targeting_options ?? []
  const most = product.signal_targeting_rules?.max_selected_signals ?? Number.POSITIVE_INFINITY
  return asked.length <= most && asked.every((signal) => options.some((option) => isSignal(option, signal)))
}

type SignalOption = NonNullable<Product["signal_targeting_options"]>[number]

function isSignal(option: SignalOption, { signal_ref, signal_id, targeting_mode = "include" }: Signal): boolean {
  const named = option as SignalOption & { signal_id?: unknown }
  const same = signal_ref
    ? canonicalJson(option.signal_ref) === canonicalJson(signal_ref)
    : canonicalJson(named.signal_id) === canonicalJson(signal_id)
  return same && (option.allowed_targeting_modes ?? ["include"]).includes(targeting_mode)
}

export function enforcesAll(product: Product, policies: readonly string[]): boolean {
  return policies.every((policy) => product.enforced_policies?.includes(policy))
}
