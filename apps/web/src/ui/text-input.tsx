import { clsx } from 'clsx'
import { Eye, EyeOff, type LucideIcon } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { useT } from '../lib/i18n.ts'
import { controlClass, useFieldProps } from './field.tsx'

interface TextInputProps extends ComponentProps<'input'> {
  icon?: LucideIcon
}

// Never Arabic text.
const ALWAYS_LTR = new Set(['email', 'tel', 'url', 'password', 'number'])

/** One line of text. Emails, phones, URLs and numbers are left to right; other text has the direction of what is typed. */
export function TextInput({ icon: Icon, className, type = 'text', ...rest }: TextInputProps) {
  const field = useFieldProps(rest)
  const isLtr = ALWAYS_LTR.has(type)
  // With an icon only the text changes direction: the icon and the clear button stay where the page has them.
  const dir = isLtr ? { dir: 'ltr' } : Icon ? {} : { dir: 'auto' }
  const input = (
    <input
      type={type}
      {...dir}
      {...rest}
      {...field}
      // `:placeholder-shown` of base.css needs one.
      placeholder={rest.placeholder || ' '}
      className={clsx(controlClass, 'line-field', Icon && 'ps-10', Icon && !isLtr && 'typed-beside-icon', className)}
    />
  )
  if (!Icon) return input
  return (
    <div className="relative">
      <Icon aria-hidden="true" className="pointer-events-none absolute inset-y-0 start-3 my-auto size-5 text-muted" />
      {input}
    </div>
  )
}

/** A secret or an address to copy: selected while it has the focus, as browsers without a clipboard need it. */
export function ReadOnlyInput(props: TextInputProps) {
  return (
    <TextInput readOnly dir="ltr" autoComplete="off" onFocus={(event) => event.currentTarget.select()} {...props} />
  )
}

/** A password with a button that shows it. Set `autoComplete` to "current-password" or "new-password". */
export function PasswordInput({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  const t = useT()
  const [shown, setShown] = useState(false)
  const field = useFieldProps(rest)
  return (
    <div dir="ltr" className="relative">
      <input
        autoCapitalize="none"
        spellCheck={false}
        {...rest}
        {...field}
        type={shown ? 'text' : 'password'}
        className={clsx(controlClass, 'pe-12', className)}
      />
      <button
        type="button"
        aria-pressed={shown}
        aria-label={t('Show password')}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 end-0 grid w-11 place-items-center rounded-control text-muted hover:text-ink"
      >
        {shown ? <EyeOff aria-hidden="true" className="size-5" /> : <Eye aria-hidden="true" className="size-5" />}
      </button>
    </div>
  )
}

/** Hidden: tells password managers which account a new password belongs to. First in its form. */
export function AccountInput({ email }: { email: string }) {
  return (
    <input
      type="email"
      autoComplete="username"
      value={email}
      readOnly
      tabIndex={-1}
      aria-hidden="true"
      className="sr-only"
    />
  )
}
