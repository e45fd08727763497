import { Share2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useT } from '../lib/i18n.ts'
import { lazyWithRetry } from '../lib/lazy-with-retry.tsx'
import { IconButton } from '../ui/button.tsx'
import type { ShareContent } from './share-dialog.tsx'

const ShareDialog = lazyWithRetry(() => import('./share-dialog.tsx').then((part) => part.ShareDialog))

/** Opens the ways of sharing. */
export function ShareButton({ content, className }: { content: ShareContent; className?: string }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton
        label={t('Share {what}', { what: content.text })}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className={className}
      >
        <Share2 aria-hidden="true" />
      </IconButton>
      {open && (
        <Suspense fallback={null}>
          <ShareDialog content={content} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
