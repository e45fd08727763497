const STEPS = [1, 2, 5, 10]
const INTERVALS_MAX = 4

/** At most five round values from 0 to the first one >= `most`. */
export function roundTicks(most: number): number[] {
  const least = Math.max(1, most) / INTERVALS_MAX
  const power = 10 ** Math.floor(Math.log10(least))
  const step = Math.max(1, power * (STEPS.find((one) => one * power >= least) ?? 10))
  return Array.from({ length: Math.ceil(Math.max(1, most) / step) + 1 }, (_, index) => index * step)
}

/** Moves positions apart so that neighbours are `gap` apart and all stay within `height`. Keeps their order. */
export function preventOverlap(targets: readonly number[], gap: number, height: number): number[] {
  const order = targets.map((_, index) => index).toSorted((a, b) => (targets[a] ?? 0) - (targets[b] ?? 0))
  const placed: number[] = []
  for (const index of order) placed.push(Math.max(targets[index] ?? 0, (placed.at(-1) ?? -gap / 2) + gap))
  let limit = height - gap / 2
  for (let place = placed.length - 1; place >= 0; place--) {
    const fitting = Math.min(placed[place] ?? 0, limit)
    placed[place] = fitting
    limit = fitting - gap
  }
  const result: number[] = []
  for (const [place, index] of order.entries()) result[index] = placed[place] ?? 0
  return result
}

export interface Step {
  /** Start of the first day with this value, in ms since the epoch, UTC. */
  at: number
  value: number
}

/** The value at a time: that of the last step before it, or 0. */
export const valueAt = (steps: readonly Step[], at: number): number =>
  steps.findLast((step) => step.at <= at)?.value ?? 0

/** The SVG path of a step chart, from 0 to `end`. */
export function stepPath(
  steps: readonly Step[],
  { x, y, end }: { x: (at: number) => number; y: (value: number) => number; end: number },
): string {
  const [first] = steps
  if (!first) return ''
  const climb = steps.map(({ at, value }) => `H${x(at)}V${y(value)}`).join('')
  return `M${x(first.at)} ${y(0)}${climb}H${x(end)}`
}
