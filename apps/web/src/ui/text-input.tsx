import { clsx } from 'clsx'
import { Eye, EyeOff, type LucideIcon } from 'lucide-react'
import { type ComponentProps, type FocusEvent, type KeyboardEvent, useState } from 'react'
import { useT } from '../lib/i18n.ts'
import { controlClass, useFieldProps } from './field.tsx'

interface TextInputProps extends ComponentProps<'input'> {
  icon?: LucideIcon
  /** Completes only links with a path: people enter account names, some with a dot, where a link to an account is wanted. */
  needsPath?: boolean
}

// Never Arabic text.
const ALWAYS_LTR = new Set(['email', 'tel', 'url', 'password', 'number'])

/** A host with a dot, perhaps a port, and perhaps a path. No email address, and no scheme. */
const LINK_WITHOUT_SCHEME = /^[^\s@:/?#]+\.[^\s@:/?#]+(:\d+)?([/?#]\S*)?$/

/** Adds the scheme that people leave out of a link. */
function addScheme(input: HTMLInputElement, needsPath: boolean): void {
  const link = input.value.trim()
  if (!LINK_WITHOUT_SCHEME.test(link) || (needsPath && !link.includes('/'))) return
  // By the prototype's setter: React would take `input.value = ...` for its own change, and not call `onChange`.
  Reflect.set(HTMLInputElement.prototype, 'value', `https://${link}`, input)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

/** One line of text. Emails, phones, URLs and numbers are left to right; other text has the direction of what is typed. */
export function TextInput({ icon: Icon, className, type = 'text', needsPath = false, ...rest }: TextInputProps) {
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
      {...(type === 'url' && {
        onBlur: (event: FocusEvent<HTMLInputElement>) => {
          addScheme(event.currentTarget, needsPath)
          rest.onBlur?.(event)
        },
        // Enter submits the form without a blur.
        onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
          if (event.key === 'Enter') addScheme(event.currentTarget, needsPath)
          rest.onKeyDown?.(event)
        },
      })}
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
