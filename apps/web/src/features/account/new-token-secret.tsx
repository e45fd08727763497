import { Copy } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useT } from '../../lib/i18n.ts'
import { toast } from '../../lib/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextInput } from '../../ui/text-input.tsx'

/** Shows a new token's secret, once. */
export function NewTokenSecret({ secret, onDone }: { secret: string; onDone: () => void }) {
  const t = useT()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret)
      toast.success(t('Access token copied'))
    } catch {
      input.current?.focus()
      toast.error(t('Error'), t('The access token could not be copied. Copy the selected text.'))
    }
  }
  return (
    <div className="grid gap-4 rounded-card border border-line p-4">
      <Notice tone="gold">{t('Copy the token now. You cannot see it again.')}</Notice>
      <Field label={t('Your new access token')}>
        <TextInput
          ref={input}
          readOnly
          dir="ltr"
          autoComplete="off"
          className="font-mono"
          value={secret}
          onFocus={(event) => event.target.select()}
        />
      </Field>
      <div className="flex flex-wrap gap-3">
        <Button variant="primary" onClick={() => void copy()}>
          <Copy aria-hidden="true" />
          {t('Copy token')}
        </Button>
        <Button onClick={onDone}>{t('I saved it')}</Button>
      </div>
    </div>
  )
}
