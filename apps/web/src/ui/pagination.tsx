import { ChevronLeft, ChevronRight } from 'lucide-react'
import { formatCapped, formatNumber } from '../lib/format.ts'
import { useT } from '../lib/i18n.ts'
import { Button } from './button.tsx'

interface PaginationProps {
  page: number
  totalPages: number
  /** There may be more pages than `totalPages`. */
  isTotalCapped?: boolean
  onPage: (page: number) => void
  /** The accessible name. */
  label: string
}

/** Previous, "Page n of m" and Next; nothing for a single page. Buttons are never disabled, which would lose the focus. */
export function Pagination({ page, totalPages, isTotalCapped = false, onPage, label }: PaginationProps) {
  const t = useT()
  if (totalPages <= 1) return null
  return (
    <nav aria-label={label} className="mt-6 flex flex-wrap items-center justify-center gap-3">
      <Button onClick={() => onPage(page - 1)} aria-disabled={page <= 1}>
        <ChevronLeft aria-hidden="true" className="rtl:-scale-x-100" />
        {t('Previous')}
      </Button>
      <p aria-live="polite" className="order-first w-full text-center text-ink-2 sm:order-none sm:w-auto sm:min-w-20">
        {t('Page {page} of {total}', {
          page: formatNumber(page),
          total: isTotalCapped && page < totalPages ? formatCapped(totalPages) : formatNumber(totalPages),
        })}
      </p>
      <Button onClick={() => onPage(page + 1)} aria-disabled={page >= totalPages}>
        {t('Next')}
        <ChevronRight aria-hidden="true" className="rtl:-scale-x-100" />
      </Button>
    </nav>
  )
}
