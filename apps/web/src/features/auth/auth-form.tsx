import type { Message } from '@community/contract'
import type { FormEventHandler, ReactNode } from 'react'
import { useT } from '../../lib/i18n.ts'
import { BackButton } from '../../ui/back-button.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BotCheck } from './bot-check.tsx'

interface AuthFormProps {
  onSubmit: FormEventHandler
  /** The error of the last attempt. */
  failure: Message | undefined
  submit: { label: string; busyLabel: string; busy: boolean }
  onBack: () => void
  /** Switches between signing in and signing up. */
  alternative: { question: string; label: string; onClick: () => void }
  children: ReactNode
}

/** The layout shared by the sign-in and sign-up forms. */
export function AuthForm({ onSubmit, failure, submit, onBack, alternative, children }: AuthFormProps) {
  const t = useT()
  return (
    <form noValidate onSubmit={onSubmit} className="grid gap-4">
      {children}
      {failure && <Notice tone="bad" message={failure} />}
      <div className="grid gap-2">
        <BotCheck />
        <Button type="submit" variant="primary" busy={submit.busy} busyLabel={submit.busyLabel}>
          {submit.label}
        </Button>
        <BackButton onClick={onBack}>{t('Other ways to continue')}</BackButton>
      </div>
      <p className="text-center text-ink-2">
        {alternative.question} <TextButton onClick={alternative.onClick}>{alternative.label}</TextButton>
      </p>
    </form>
  )
}

/** A button that looks like a link in a text. */
export function TextButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="min-h-11 font-semibold pointer-fine:min-h-6 text-primary underline underline-offset-2"
    >
      {children}
    </button>
  )
}
