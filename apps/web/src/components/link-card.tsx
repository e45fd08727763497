import { clsx } from 'clsx'
import { type ComponentType } from 'react'
import { useT } from '../lib/i18n.ts'
import { parseLink } from './parse-link.ts'

interface LinkCardProps {
  /** No link if it is no web address. */
  address: string
  Icon: ComponentType<{ className: string }>
  title: string
  /** Shown below the title, each isolated from the text direction of the others. */
  notes: readonly string[]
  wrapsTitle?: boolean
  className?: string
}

/** A user's link, which opens in a new tab. */
export function LinkCard({ address, Icon, title, notes, wrapsTitle = false, className }: LinkCardProps) {
  const t = useT()
  return (
    <a
      href={parseLink(address) ? address : undefined}
      target="_blank"
      rel="noopener noreferrer nofollow ugc"
      className={clsx(
        'flex min-h-11 items-center gap-3 rounded-control border border-line px-3 py-2 transition-colors hover:border-control',
        className,
      )}
    >
      <Icon aria-hidden="true" className="size-5 shrink-0 text-primary" />
      <span className="min-w-0">
        <span className={clsx('block font-medium', !wrapsTitle && 'truncate')}>
          <bdi>{title}</bdi>
        </span>
        <span className="block text-sm text-muted">
          {notes.map((note, index) => (
            <span key={note}>
              {index > 0 && ' · '}
              <bdi>{note}</bdi>
            </span>
          ))}
        </span>
      </span>
      <span className="sr-only">{t('opens in a new tab')}</span>
    </a>
  )
}
