import { Share2 } from 'lucide-react'
import { useState } from 'react'
import { useT } from '../lib/i18n.ts'
import { lazyWithRetry } from '../lib/lazy-with-retry.tsx'
import { formatLinkedItem, type LinkedItem } from '../lib/navigation/route.ts'
import { IconButton } from '../ui/button.tsx'
import { LazyDialog } from '../ui/lazy-dialog.tsx'
import type { ShareContent } from './share-dialog.tsx'

const ShareDialog = lazyWithRetry(() => import('./share-dialog.tsx').then((part) => part.ShareDialog))

interface ShareButtonProps {
  content: ShareContent
  className?: string
  onOpen?: () => void
  /** Called when the dialog has been closed. */
  onClose?: () => void
}

/** Opens the ways of sharing. */
export function ShareButton({ content, className, onOpen, onClose }: ShareButtonProps) {
  const t = useT()
  const [open, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    onClose?.()
  }
  return (
    <>
      <IconButton
        label={t('Share {what}', { what: content.text })}
        aria-haspopup="dialog"
        onClick={() => {
          setOpen(true)
          onOpen?.()
        }}
        className={className}
      >
        <Share2 aria-hidden="true" />
      </IconButton>
      {open && (
        <LazyDialog onClose={close}>
          <ShareDialog content={content} onClose={close} />
        </LazyDialog>
      )}
    </>
  )
}

interface ShareLinkButtonProps extends Omit<ShareButtonProps, 'content'> {
  item: LinkedItem
  /** The name of the challenge or team. */
  text: string
}

/** Shares a link to a challenge or a team. */
export function ShareLinkButton({ item, text, ...rest }: ShareLinkButtonProps) {
  const t = useT()
  const { href } = new URL(`/${formatLinkedItem(item)}`, window.location.href)
  return <ShareButton content={{ text, url: href, failure: t('Unable to share this link') }} {...rest} />
}
