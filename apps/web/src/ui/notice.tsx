import type { Message } from '@community/contract'
import { clsx } from 'clsx'
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { ServerText } from './server-text.tsx'

export type Tone = 'neutral' | 'info' | 'ok' | 'gold' | 'bad'

const TONES: Record<Tone, { box: string; Icon: typeof Info }> = {
  neutral: { box: 'bg-sunken text-ink', Icon: Info },
  info: { box: 'bg-primary-soft text-ink', Icon: Info },
  ok: { box: 'bg-ok-soft text-ok', Icon: CircleCheck },
  gold: { box: 'bg-gold-soft text-gold', Icon: TriangleAlert },
  bad: { box: 'bg-bad-soft text-bad', Icon: CircleAlert },
}

interface NoticeProps {
  tone?: Tone
  /** A message of the server; it is translated here. */
  message?: Message
  children?: ReactNode
  action?: ReactNode
  className?: string
}

/** An inline message. Tone `bad` is announced immediately. */
export function Notice({ tone = 'info', message, children, action, className }: NoticeProps) {
  const { box, Icon } = TONES[tone]
  return (
    <div
      role={tone === 'bad' ? 'alert' : undefined}
      className={clsx(
        'flex flex-wrap gap-x-3 gap-y-2 rounded-control px-3.5 py-2.5',
        action ? 'items-center' : 'items-start',
        box,
        className,
      )}
    >
      <Icon aria-hidden="true" className={clsx('size-5 shrink-0', !action && 'mt-0.5')} />
      <div className="min-w-0 flex-1 basis-32">
        {message && <ServerText of={message} />}
        {children}
      </div>
      {action}
    </div>
  )
}
