import { Copy, Mail, Share2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { mailtoLink } from '../lib/contact-links.ts'
import { useT } from '../lib/i18n.ts'
import { toast } from '../lib/toasts.ts'
import { TelegramIcon, WhatsAppIcon } from '../ui/brand-icons.tsx'
import { buttonClass } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

export interface Shared {
  /** What is shared, in a few words, translated. */
  text: string
  url: string
}

/** Where the four ways of sharing lead; copying needs no address. */
export function shareAddresses({ text, url }: Shared) {
  const words = encodeURIComponent(text)
  const address = encodeURIComponent(url)
  return {
    whatsApp: `https://wa.me/?text=${encodeURIComponent(`${text}\n${url}`)}`,
    telegram: `https://t.me/share/url?url=${address}&text=${words}`,
    mail: mailtoLink('', { subject: text, body: `${text}\n\n${url}` }),
  }
}

const wasLeft = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'

const LOOK = `${buttonClass()} w-full justify-start!`

function Address({ href, icon, children }: { href: string; icon: ReactNode; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={LOOK}>
      {icon}
      {children}
    </a>
  )
}

/** Passes something on: the device's own way first where there is one, then WhatsApp, Telegram, mail, and a copied link. */
export function ShareDialog({ shared, onClose }: { shared: Shared; onClose: () => void }) {
  const t = useT()
  const addresses = shareAddresses(shared)
  const shareByDevice = async () => {
    try {
      await navigator.share(shared)
      onClose()
    } catch (error) {
      if (!wasLeft(error)) toast.error(t('Share Failed'), t('Unable to share this work'))
    }
  }
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(shared.url)
      toast.success(t('Link Copied'))
      onClose()
    } catch {
      toast.error(t('Share Failed'), t('Failed to copy link to clipboard.'))
    }
  }
  return (
    <Dialog open size="sm" title={t('Share')} onOpenChange={onClose}>
      <p dir="auto" className="font-medium">
        {shared.text}
      </p>
      <p dir="ltr" className="mb-4 truncate text-sm text-muted rtl:text-end">
        {shared.url}
      </p>
      <div className="grid grid-cols-1 gap-2">
        {'share' in navigator && (
          <button type="button" onClick={() => void shareByDevice()} className={LOOK}>
            <Share2 aria-hidden="true" />
            {t('Share with another app')}
          </button>
        )}
        <Address href={addresses.whatsApp} icon={<WhatsAppIcon />}>
          WhatsApp
        </Address>
        <Address href={addresses.telegram} icon={<TelegramIcon />}>
          Telegram
        </Address>
        <Address href={addresses.mail} icon={<Mail aria-hidden="true" />}>
          Gmail
        </Address>
        <button type="button" onClick={() => void copy()} className={LOOK}>
          <Copy aria-hidden="true" />
          {t('Copy Link')}
        </button>
      </div>
    </Dialog>
  )
}
