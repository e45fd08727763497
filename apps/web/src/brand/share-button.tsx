import { Share2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useT } from '../lib/i18n.ts'
import { IconButton } from '../ui/button.tsx'
import type { Shared } from './share-dialog.tsx'

const ShareDialog = lazy(() => import('./share-dialog.tsx').then((part) => ({ default: part.ShareDialog })))

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
