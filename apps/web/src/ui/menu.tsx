import { clsx } from 'clsx'
import type { LucideIcon } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { type ReactNode, useRef, useState } from 'react'
import { useT } from '../lib/i18n.ts'

export interface MenuItem {
  label: ReactNode
  onSelect: () => void
  icon?: LucideIcon
  /** Mirrors the icon in Arabic: it points in a direction. */
  mirrored?: boolean
  danger?: boolean
  disabled?: boolean
  /** Draws a line above the item. */
  separated?: boolean
}

interface MenuProps {
  /** The button that opens the menu. */
  trigger: ReactNode
  items: readonly MenuItem[]
  /** Shown above the items. */
  header?: ReactNode
}

/** A menu of actions. An action runs after the button got the focus back, so that a dialog it opens restores the focus to it. */
export function Menu({ trigger, items, header }: MenuProps) {
  const t = useT()
  const triggerButton = useRef<HTMLButtonElement>(null)
  const chosen = useRef<(() => void) | null>(null)
  // A modal dialog is above everything outside it.
  const [container, setContainer] = useState<HTMLElement | null>(null)
  const onOpenChange = () => setContainer(triggerButton.current?.closest('dialog') ?? null)
  const afterClose = (event: Event) => {
    event.preventDefault()
    triggerButton.current?.focus()
    chosen.current?.()
    chosen.current = null
  }
  return (
    // A modal menu injects a <style> to lock scrolling, which our content security policy blocks.
    <DropdownMenu.Root modal={false} dir={t.dir} onOpenChange={onOpenChange}>
      <DropdownMenu.Trigger ref={triggerButton} asChild>
        {trigger}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal container={container}>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          collisionPadding={12}
          onCloseAutoFocus={afterClose}
          className="dialog-panel z-50 min-w-52 max-w-80 rounded-card border border-line bg-surface p-1.5 shadow-float"
        >
          {header && <div className="border-b border-line px-3 pt-1.5 pb-2.5 mb-1.5">{header}</div>}
          {items.map((item, index) => (
            <Item
              key={index}
              item={item}
              onChoose={() => {
                chosen.current = item.onSelect
              }}
            />
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

function Item({ item, onChoose }: { item: MenuItem; onChoose: () => void }) {
  const { icon: Icon, mirrored, danger = false, disabled = false, separated } = item
  return (
    <>
      {separated && <DropdownMenu.Separator className="my-1.5 h-px bg-line" />}
      <DropdownMenu.Item
        disabled={disabled}
        onSelect={onChoose}
        className={clsx(
          'flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 py-2 -outline-offset-2! data-highlighted:bg-sunken',
          'data-disabled:cursor-not-allowed data-disabled:text-muted',
          danger && 'text-bad data-highlighted:bg-bad-soft',
        )}
      >
        {Icon && <Icon aria-hidden="true" className={clsx('size-5 shrink-0', mirrored && 'rtl:-scale-x-100')} />}
        {item.label}
      </DropdownMenu.Item>
    </>
  )
}
