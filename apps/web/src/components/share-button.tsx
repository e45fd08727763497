import { Share2, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useT } from '../lib/i18n.ts'
import { lazyWithRetry } from '../lib/lazy-with-retry.tsx'
import { formatLinkedItem, type LinkedItem } from '../lib/navigation/route.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { LazyDialog } from '../ui/lazy-dialog.tsx'
import type { ShareContent } from './share-dialog.tsx'

const ShareDialog = lazyWithRetry(() => import('./share-dialog.tsx').then((part) => part.ShareDialog))

interface ShareButtonProps {
  content: ShareContent
  /** Shown in place of the icon for sharing, as an invitation. */
  label?: string
  className?: string
  onOpen?: () => void
  /** Called when the dialog has been closed. */
  onClose?: () => void
}

/** Opens the ways of sharing. */
export function ShareButton({ content, label, className, onOpen, onClose }: ShareButtonProps) {
  const t = useT()
  const [open, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    onClose?.()
  }
  const trigger = {
    'aria-haspopup': 'dialog',
    onClick: () => {
      setOpen(true)
      onOpen?.()
    },
    className,
  } as const
  return (
    <>
      {label === undefined ? (
        <IconButton label={t('Share {what}', { what: content.text })} {...trigger}>
          <Share2 aria-hidden="true" />
        </IconButton>
      ) : (
        <Button {...trigger}>
          <UserPlus aria-hidden="true" />
          {label}
        </Button>
      )}
      {open && (
        <LazyDialog onClose={close}>
          <ShareDialog content={content} onClose={close} />
        </LazyDialog>
      )}
    </>
  )
}

export interface ShareLinkButtonProps extends Omit<ShareButtonProps, 'content'> {
  item: LinkedItem
  /** The name of the challenge or team. */
  text: string
}

/** Shares a link to a challenge or a team. */
export function ShareLinkButton({ item, text, ...rest }: ShareLinkButtonProps) {
  const t = useT()
  const { href } = new URL(`/${formatLinkedItem(item)}`, window.location.href)
  return <ShareButton content={{ text, dir: 'auto', url: href, failure: t('Unable to share this link') }} {...rest} />
}
