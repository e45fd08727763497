import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'

/** A rank; a shared one with the sign for it, which readers hear as a word. */
export function RankMark({ rank, tied }: { rank: number; tied: boolean }) {
  const t = useT()
  return (
    <span className="whitespace-nowrap">
      {tied && (
        <span aria-hidden="true" className="font-semibold opacity-75">
          =
        </span>
      )}
      {formatNumber(rank)}
      {tied && <span className="sr-only"> {t('shared')}</span>}
    </span>
  )
}
