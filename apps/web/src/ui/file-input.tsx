import { clsx } from 'clsx'
import { FileText, Upload, X } from 'lucide-react'
import { type ChangeEvent, type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import { formatMegabytes, formatNumber } from '../lib/format.ts'
import { useT } from '../lib/i18n.ts'
import { IconButton } from './button.tsx'
import { controlClass, useFieldProps } from './field.tsx'

interface FileInputProps {
  ref?: Ref<Pick<HTMLElement, 'focus'>>
  file: File | null
  onFile: (file: File | null) => void
  /** As the HTML attribute: "image/png,application/pdf". */
  accept?: string
  /** From 0 to 1 during the upload, else null. */
  progress?: number | null
  /** Cancels the upload; called only while `progress` is set. */
  onCancel?: () => void
}

const FOCUS_WITHIN = 'focus-within:outline-3 focus-within:outline-offset-2 focus-within:outline-primary'

/** Chooses one file and shows its name, size and upload progress. */
export function FileInput({ ref, file, onFile, accept, progress = null, onCancel }: FileInputProps) {
  const t = useT()
  const field = useFieldProps({})
  const input = useRef<HTMLInputElement>(null)
  const isSending = progress !== null
  const remove = useRef<HTMLButtonElement>(null)
  useImperativeHandle(ref, () => ({ focus: () => (remove.current ?? input.current)?.focus() }), [])
  // The input is hidden once it has a file: move the focus to the button that removes the file.
  useEffect(() => {
    if (file && document.activeElement === input.current) remove.current?.focus()
  }, [file])
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const chosen = event.target.files?.[0] ?? null
    // Lets the same file be chosen again: otherwise the browser reports no change.
    event.target.value = ''
    onFile(chosen)
  }
  const clear = () => {
    onFile(null)
    input.current?.focus()
  }
  return (
    <div className="grid gap-2">
      <label className={file ? 'sr-only' : clsx(controlClass, 'flex items-center gap-3 border-dashed', FOCUS_WITHIN)}>
        <Upload aria-hidden="true" className="size-5 text-muted" />
        <span>{t('Choose a file')}</span>
        <input
          {...field}
          ref={input}
          type="file"
          accept={accept}
          disabled={isSending}
          className="sr-only"
          tabIndex={file ? -1 : undefined}
          onChange={choose}
        />
      </label>
      {file && (
        <div className="flex items-center gap-3 rounded-control border border-line bg-sunken ps-3">
          <FileText aria-hidden="true" className="size-5 shrink-0 text-muted" />
          <p className="min-w-0 grow py-2">
            <span className="block truncate font-medium">
              <bdi>{file.name}</bdi>
            </span>
            <span className="text-sm text-muted">{formatMegabytes(file.size)}</span>
          </p>
          {isSending ? (
            <IconButton label={t('Cancel upload')} onClick={onCancel}>
              <X aria-hidden="true" />
            </IconButton>
          ) : (
            <IconButton ref={remove} label={t('Remove file')} onClick={clear}>
              <X aria-hidden="true" />
            </IconButton>
          )}
        </div>
      )}
      {isSending && (
        <div className="flex items-center gap-3">
          <progress value={progress} max={1} aria-label={t('Upload progress')} className="file-progress h-2 grow" />
          <span className="text-sm text-ink-2">{formatNumber(progress, { style: 'percent' })}</span>
        </div>
      )}
    </div>
  )
}
