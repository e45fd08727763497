import type { Preview, Submission } from '@community/contract'
import { clsx } from 'clsx'
import { Image, ImageOff, RotateCw } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useT } from '../lib/i18n.ts'
import { savesData } from '../lib/saves-data.ts'
import { Button } from '../ui/button.tsx'

/** By where a preview stands: the `sizes` attribute of the image, and the box. */
const LAYOUTS = {
  icon: { sizes: '2.5rem', className: 'h-8 max-w-10' },
  card: {
    sizes: '(min-width: 1024px) 21rem, (min-width: 640px) 45vw, 90vw',
    className: 'aspect-9/4 sm:aspect-8/5',
  },
  whole: { sizes: '(min-width: 768px) 40rem, 90vw', className: '' },
}

interface WorkPreviewProps {
  work: Pick<Submission, 'preview' | 'teamId' | 'challengeId'>
  /** `whole` keeps the aspect ratio; the others crop to the top. */
  layout: keyof typeof LAYOUTS
}

/** A work's picture or first page, in a box reserved in its colour, never enlarged. Loaded lazily, or on request if the user saves data. */
export function WorkPreview({ work, layout }: WorkPreviewProps) {
  const t = useT()
  const box = useRef<HTMLSpanElement>(null)
  const [isShown, setIsShown] = useState(!savesData())
  const [hasFailed, setHasFailed] = useState(false)
  useEffect(() => {
    if (!hasFailed) return undefined
    const retry = () => setHasFailed(false)
    window.addEventListener('online', retry)
    return () => window.removeEventListener('online', retry)
  }, [hasFailed])
  const { preview, teamId: team, challengeId: challenge } = work
  const fallback = preview?.thumbnails.findLast(({ type }) => type === 'image/webp')
  if (!preview || !fallback) return null
  const { width, height, url } = fallback
  const names = { team: team.name, challenge: challenge.title }
  const { sizes, className } = LAYOUTS[layout]
  const isWhole = layout === 'whole'
  const load = () => {
    // The pressed button disappears.
    box.current?.focus({ preventScroll: true })
    setHasFailed(false)
    setIsShown(true)
  }
  return (
    <span
      ref={box}
      tabIndex={-1}
      className={clsx(
        'relative grid w-full shrink-0 place-items-center overflow-hidden rounded-control border border-line',
        className,
      )}
      style={{
        backgroundColor: preview.color,
        ...(isWhole && { aspectRatio: `${width} / ${height}`, maxHeight: `clamp(3rem, ${height}px, 28rem)` }),
      }}
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
            style={{ maxWidth: width, maxHeight: height }}
            className={clsx(
              'absolute inset-0 m-auto size-full',
              isWhole ? 'object-contain' : 'object-cover object-top',
            )}
          />
        </picture>
      )}
      {!isShown && (
        <Button size="sm" onClick={load} className="relative z-1">
          <Image aria-hidden="true" />
          {t('Show image')}
        </Button>
      )}
      {hasFailed &&
        (layout === 'icon' ? (
          <ImageOff role="img" aria-label={t('The image could not be loaded.')} className="size-5 rounded bg-surface" />
        ) : (
          <span className="grid justify-items-center gap-2">
            <span className="rounded-control bg-surface px-2 text-sm">{t('The image could not be loaded.')}</span>
            <Button size="sm" onClick={load} className="relative z-1">
              <RotateCw aria-hidden="true" />
              {t('Try Again')}
            </Button>
          </span>
        ))}
    </span>
  )
}

const srcSetOf = ({ thumbnails }: Preview, mimeType: string): string =>
  thumbnails
    .filter(({ type }) => type === mimeType)
    .map(({ url, width }) => `${url} ${width}w`)
    .join(', ')
