const STEPS = [1, 2, 5, 10]
const INTERVALS_MAX = 4

/** Round values from 0 to the first that is not under `most`, at most five of them. */
export function roundTicks(most: number): number[] {
  const least = Math.max(1, most) / INTERVALS_MAX
  const power = 10 ** Math.floor(Math.log10(least))
  const step = Math.max(1, power * (STEPS.find((one) => one * power >= least) ?? 10))
  return Array.from({ length: Math.ceil(Math.max(1, most) / step) + 1 }, (_, index) => index * step)
}

/** Moves places apart, so that neighbours have `gap` between them and all stay within `height`; in the order given. */
export function spread(wanted: readonly number[], gap: number, height: number): number[] {
  const order = wanted.map((_, index) => index).toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))
  const placed: number[] = []
  for (const index of order) placed.push(Math.max(wanted[index] ?? 0, (placed.at(-1) ?? -gap / 2) + gap))
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
  /** The day since which it holds: its beginning in milliseconds, UTC. */
  at: number
  value: number
}

/** What holds at a time: the last step's value, 0 before the first. */
export const valueAt = (steps: readonly Step[], at: number): number =>
  steps.findLast((step) => step.at <= at)?.value ?? 0

/** A path of stairs from 0 up to the last step's value and on to the end. */
export function stairs(
  steps: readonly Step[],
  { x, y, end }: { x: (at: number) => number; y: (value: number) => number; end: number },
): string {
  const [first] = steps
  if (!first) return ''
  const climb = steps.map(({ at, value }) => `H${x(at)}V${y(value)}`).join('')
  return `M${x(first.at)} ${y(0)}${climb}H${x(end)}`
}
