import { useT } from '../lib/i18n.ts'

interface FiguresTableProps {
  caption: string
  head: readonly string[]
  /** The first cell of each row is its header. */
  rows: readonly (readonly string[])[]
}

/** The values of a chart as a collapsed table. */
export function FiguresTable({ caption, head, rows }: FiguresTableProps) {
  const t = useT()
  return (
    <details className="mt-3">
      <summary className="inline-flex min-h-11 cursor-pointer items-center rounded-control text-sm font-semibold text-primary">
        {t('Show as a table')}
      </summary>
      {/* A scrollable region must be reachable by the keyboard. */}
      <div
        role="region"
        aria-label={caption}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
        tabIndex={0}
        className="mt-1 overflow-x-auto rounded-card border border-line bg-surface"
      >
        <table className="w-full border-collapse text-sm">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr className="border-b border-line bg-sunken text-ink-2">
              {head.map((name, column) => (
                <th
                  key={column}
                  scope="col"
                  className="px-3 py-2 text-end font-semibold whitespace-nowrap first:text-start"
                >
                  <bdi>{name}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, ...cells], row) => (
              <tr key={row} className="border-b border-line last:border-b-0">
                <th scope="row" className="min-w-24 px-3 py-1.5 text-start font-medium">
                  <bdi>{name}</bdi>
                </th>
                {cells.map((cell, column) => (
                  <td key={column} className="px-3 py-1.5 text-end">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
