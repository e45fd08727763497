import { Share2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useT } from '../lib/i18n.ts'
import { lazyWithRetry } from '../lib/lazy-with-retry.tsx'
import { IconButton } from '../ui/button.tsx'
import type { Shared } from './share-dialog.tsx'

const ShareDialog = lazyWithRetry(() => import('./share-dialog.tsx').then((part) => part.ShareDialog))

/** Opens the ways of sharing. */
export function ShareButton({ shared, className }: { shared: Shared; className?: string }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton
        label={t('Share {what}', { what: shared.text })}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className={className}
      >
        <Share2 aria-hidden="true" />
      </IconButton>
      {open && (
        <Suspense fallback={null}>
          <ShareDialog shared={shared} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
