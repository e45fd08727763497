import type { Preview, Submission } from '@community/contract'
import { clsx } from 'clsx'
import { Image } from 'lucide-react'
import { useState } from 'react'
import { useT } from '../lib/i18n.ts'
import { savesData } from '../lib/saves-data.ts'
import { Button } from '../ui/button.tsx'

interface WorkPreviewProps {
  work: Pick<Submission, 'preview' | 'teamId' | 'challengeId'>
  /** The `sizes` attribute of the image. */
  sizes: string
  /** Shows the whole picture at its aspect ratio; otherwise it is cropped to the box given by `className`. */
  isWhole?: boolean
  className: string
}

/** A work's picture or first page, in a box reserved in its colour. Loaded lazily, or on request if the user saves data. */
export function WorkPreview({ work, sizes, isWhole = false, className }: WorkPreviewProps) {
  const t = useT()
  const [isShown, setIsShown] = useState(!savesData())
  const [hasFailed, setHasFailed] = useState(false)
  const { preview, teamId: team, challengeId: challenge } = work
  const fallback = preview?.thumbnails.findLast(({ type }) => type === 'image/webp')
  if (!preview || !fallback) return null
  const { width, height, url } = fallback
  const names = { team: team.name, challenge: challenge.title }
  return (
    <span
      className={clsx(
        'relative grid w-full shrink-0 place-items-center overflow-hidden rounded-control border border-line',
        className,
      )}
      style={{ backgroundColor: preview.color, ...(isWhole && { aspectRatio: `${width} / ${height}` }) }}
    >
      {isShown && !hasFailed && (
        <picture className="contents">
          <source type="image/avif" srcSet={srcSetOf(preview, 'image/avif')} sizes={sizes} />
          <img
            src={url}
            srcSet={srcSetOf(preview, 'image/webp')}
            sizes={sizes}
            width={width}
            height={height}
            alt={
              preview.pageCount === null
                ? t('Image submitted by {team} for “{challenge}”', names)
                : t('First page of the document submitted by {team} for “{challenge}”', names)
            }
            loading="lazy"
            decoding="async"
            onError={() => setHasFailed(true)}
            className={clsx('absolute inset-0 size-full', isWhole ? 'object-contain' : 'object-cover object-top')}
          />
        </picture>
      )}
      {!isShown && (
        <Button size="sm" onClick={() => setIsShown(true)} className="relative z-1">
          <Image aria-hidden="true" />
          {t('Show image')}
        </Button>
      )}
      {hasFailed && (
        <span className="rounded-control bg-surface px-2 text-sm">{t('The image could not be loaded.')}</span>
      )}
    </span>
  )
}

const srcSetOf = ({ thumbnails }: Preview, mimeType: string): string =>
  thumbnails
    .filter(({ type }) => type === mimeType)
    .map(({ url, width }) => `${url} ${width}w`)
    .join(', ')
