import { Copy } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useAction } from '../lib/action.ts'
import { useT } from '../lib/i18n.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { ReadOnlyInput } from '../ui/text-input.tsx'

interface NewSecretProps {
  secret: string
  /** All translated. */
  texts: { notice: string; label: string }
  onDone: () => void
}

/** Shows a new secret, once. */
export function NewSecret({ secret, texts, onDone }: NewSecretProps) {
  const t = useT()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const copy = useAction(
    { mutate: (_input: void) => navigator.clipboard.writeText(secret) },
    {
      success: t('Copied'),
      failure: { title: t('Error'), message: t('Copying failed. Copy the selected text yourself.') },
      onFailure: () => input.current?.focus(),
    },
  )
  return (
    <div className="grid gap-4 rounded-card border border-line p-4">
      <Notice tone="gold">{texts.notice}</Notice>
      <Field label={texts.label} required>
        <ReadOnlyInput
          ref={input}
          // Gets the focus when a question closes whose opener is gone (`restoreFocus`).
          data-autofocus
          className="font-mono"
          value={secret}
        />
      </Field>
      <div className="flex flex-wrap gap-3">
        <Button variant="primary" onClick={() => void copy.run()}>
          <Copy aria-hidden="true" />
          {t('Copy')}
        </Button>
        <Button onClick={onDone}>{t('I’ve saved it')}</Button>
      </div>
    </div>
  )
}
