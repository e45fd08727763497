import { Copy, Mail, Share2 } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useAction } from '../lib/action.ts'
import { mailtoLink } from '../lib/contact-links.ts'
import { useT } from '../lib/i18n.ts'
import { TelegramIcon, WhatsAppIcon } from '../ui/brand-icons.tsx'
import { buttonClass } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ReadOnlyInput } from '../ui/text-input.tsx'

export interface ShareContent {
  /** The title of what is shared, translated. */
  text: string
  /** 'auto' if `text` is a name, which may be written in the other direction. A sentence has the page’s. */
  dir?: 'auto'
  url: string
  /** Says that it could not be shared, translated. */
  failure: string
}

/** The URLs of the ways of sharing; copying needs none. */
export function shareLinks({ text, url }: Pick<ShareContent, 'text' | 'url'>) {
  const encodedText = encodeURIComponent(text)
  const encodedUrl = encodeURIComponent(url)
  return {
    whatsApp: `https://wa.me/?text=${encodeURIComponent(`${text}\n${url}`)}`,
    telegram: `https://t.me/share/url?url=${encodedUrl}&text=${encodedText}`,
    mail: mailtoLink('', { subject: text, body: `${text}\n\n${url}` }),
  }
}

const isCancelled = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'

const BUTTON_CLASS = `${buttonClass()} w-full justify-start!`

function ShareLink({ href, icon, children }: { href: string; icon: ReactNode; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={BUTTON_CLASS}>
      {icon}
      {children}
    </a>
  )
}

/** Shares a link: by the device's share sheet, if there is one, WhatsApp, Telegram, mail, or copying. */
export function ShareDialog({ content, onClose }: { content: ShareContent; onClose: () => void }) {
  const t = useT()
  const { text, url } = content
  const links = shareLinks(content)
  const address = useRef<HTMLInputElement>(null)
  const shareNatively = useAction(
    { mutate: (_input: void) => navigator.share({ text, url }) },
    {
      failure: (_failure, _target, error) =>
        isCancelled(error) ? null : { title: t('Share Failed'), message: content.failure },
      onSuccess: onClose,
    },
  )
  const copy = useAction(
    { mutate: (_input: void) => navigator.clipboard.writeText(url) },
    {
      success: t('Link Copied'),
      failure: { title: t('Share Failed'), message: t('Failed to copy link to clipboard.') },
      onSuccess: onClose,
      onFailure: () => address.current?.focus(),
    },
  )
  return (
    <Dialog open size="sm" title={t('Share')} onOpenChange={onClose}>
      <p dir={content.dir} className="font-medium">
        {text}
      </p>
      <ReadOnlyInput ref={address} aria-label={t('Link')} value={url} className="mt-2 mb-4" />
      <div className="grid grid-cols-1 gap-2">
        {'share' in navigator && (
          <button type="button" onClick={() => void shareNatively.run()} className={BUTTON_CLASS}>
            <Share2 aria-hidden="true" />
            {t('Share with another app')}
          </button>
        )}
        <ShareLink href={links.whatsApp} icon={<WhatsAppIcon />}>
          WhatsApp
        </ShareLink>
        <ShareLink href={links.telegram} icon={<TelegramIcon />}>
          Telegram
        </ShareLink>
        <ShareLink href={links.mail} icon={<Mail aria-hidden="true" />}>
          Gmail
        </ShareLink>
        <button type="button" onClick={() => void copy.run()} className={BUTTON_CLASS}>
          <Copy aria-hidden="true" />
          {t('Copy Link')}
        </button>
      </div>
    </Dialog>
  )
}
